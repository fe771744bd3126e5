/* The two halves behind sandbox.h. */
#ifndef BASE_SANDBOX_PARTS_H
#define BASE_SANDBOX_PARTS_H

#include "base/sandbox.h"

bool sandbox_calls_known(void);
int sandbox_calls(struct err *err) __attribute__((warn_unused_result));
bool sandbox_files_known(void);
int sandbox_files(const struct sandbox_path *paths, size_t count, struct err *err)
    __attribute__((warn_unused_result));

#endif
