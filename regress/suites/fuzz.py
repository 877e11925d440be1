"""Fuzz targets, each for FUZZ_SECONDS (default 10): the SQL text, the wire's frames, the key codec. Built by clang's libFuzzer."""
import os
import subprocess
import tempfile

TARGETS = ("parse_fuzz", "reader_fuzz", "key_fuzz")


def run():
    seconds = int(os.environ.get("FUZZ_SECONDS", "10"))
    build = "build-fuzz"
    if not os.path.exists(f"{build}/build.ninja"):
        done = subprocess.run(["meson", "setup", build, "-Db_sanitize=address,undefined", "-Db_lundef=false", "-Doptimization=1", "-Ddebug=true", "-Dwerror=false"],
                              env=dict(os.environ, CC="clang"), capture_output=True, text=True)
        if done.returncode:
            yield "set-up", done.stdout[-2000:]
            return
    for target in TARGETS:
        done = subprocess.run(["ninja", "-C", build, f"regress/fuzz/{target}"], capture_output=True, text=True)
        if done.returncode:
            yield target, "does not build: " + done.stdout[-2000:]
            continue
        with tempfile.TemporaryDirectory() as corpus:
            done = subprocess.run([f"{build}/regress/fuzz/{target}", f"-max_total_time={seconds}", "-max_len=4096", "-timeout=10",
                                   "-rss_limit_mb=3000", f"-artifact_prefix=/tmp/{target}-", corpus], capture_output=True, text=True)
            yield f"{target} for {seconds} s", None if done.returncode == 0 else done.stderr[-3000:]
