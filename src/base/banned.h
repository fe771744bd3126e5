/* Included by the compiler in front of every file of ours (Makefile: -include): these calls are errors. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef sprintf
#undef vsprintf
#pragma GCC poison strcpy strcat strncpy strncat stpcpy sprintf vsprintf strtok atoi atol atof gets
#pragma GCC poison gmtime localtime ctime asctime tmpnam mktemp

#endif
