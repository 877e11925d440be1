/* log.h - the server's log: one line an event, to stderr, never blocking for long. Safe from any thread. */
#ifndef STORAGE_BASE_LOG_H
#define STORAGE_BASE_LOG_H

typedef enum LogLevel { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR } LogLevel;

void log_level_set(LogLevel lowest); /* LOG_INFO at start */
void log_write(LogLevel level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
