#!/bin/bash
. "$(dirname "$0")/../lib/python.sh"
run_python asyncpg asyncpg
