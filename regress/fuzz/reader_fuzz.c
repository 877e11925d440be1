/* reader_fuzz.c - the wire's reader over arbitrary bytes: frames are cut and their fields decoded until the input ends. */
#include <sys/socket.h>
#include <unistd.h>

#include "pgwire/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(Frame *frame)
{
    Error err;
    uint8_t plan = frame_u8(frame);
    for (int i = 0; i < 8 && !frame->broken; i++, plan >>= 1) {
        if (plan & 1)
            (void)strlen(frame_str(frame));
        else
            (void)frame_bytes(frame, (uint16_t)frame_i16(frame));
    }
    (void)!frame_end(frame, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    Reader reader;
    Frame frame;
    Error err = {0};
    if (size < 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
    bool startup = data[0] & 1;
    if (write(ends[0], data + 1, size - 1) == (ssize_t)(size - 1)) {
        shutdown(ends[0], SHUT_WR);
        reader_init(&reader, ends[1]);
        while (reader_next(&reader, startup, &frame, &err) == ST_OK) {
            decode(&frame);
            startup = false;
            (void)reader_ready(&reader);
        }
        reader_finish(&reader);
    }
    close(ends[0]);
    close(ends[1]);
    return 0;
}
