/* Messages for the operator on standard error: "turnpost: warning: ...". Never secrets, never mail bodies.
 * Text from strangers is made safe (utf8_safe) here, once. In a plain file, where nothing else records the
 * time, each line begins with it (UTC). */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_QUIET, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* The process's verbosity: set once by main from --quiet/--verbose. Default LOG_WARN. */
void log_set_level(enum log_level level);
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* always shown */
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* One line that is overwritten, only when standard error is a terminal; log_progress_end wipes it. */
void log_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_progress_end(void);

#endif
