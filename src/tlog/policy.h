/* league.policy (c2sp.org/tlog-policy): which logs, which witnesses, and how many of these have to agree.
 *
 *     log VKEY [URL]
 *     witness NAME VKEY [URL]
 *     group NAME K|any|all MEMBER...
 *     quorum NAME|none */
#ifndef TLOG_POLICY_H
#define TLOG_POLICY_H

#include "tlog/checkpoint.h"
#include "tlog/note.h"

#define POLICY_MOST 32    /* logs, witnesses, groups: of each */
#define POLICY_NAME 64    /* bytes, with NUL */
#define POLICY_URL  256   /* the same */
#define POLICY_FILE 65536 /* bytes of a file */
#define POLICY_NONE (-1)

struct policy_log {
    struct vkey key;      /* VKEY_SIGNER */
    char url[POLICY_URL]; /* or "" */
};
struct policy_witness {
    char name[POLICY_NAME];
    struct vkey key; /* VKEY_COSIGNER */
    char url[POLICY_URL];
};
struct policy_group {
    char name[POLICY_NAME];
    int need;                    /* members, 1..count */
    int member[2 * POLICY_MOST]; /* a witness's number; POLICY_MOST + a group's */
    int count;
};
struct policy { /* plain data, 40 KB; nothing to be freed */
    struct policy_log log[POLICY_MOST];
    struct policy_witness witness[POLICY_MOST];
    struct policy_group group[POLICY_MOST];
    int logs, witnesses, groups;
    int quorum; /* as a member, or POLICY_NONE */
};

/* `file` is named in errors (ERR_CONFIG), with the line and what to do. */
int policy_parse(struct slice text, const char *file, struct policy *policy, struct err *err)
    __attribute__((warn_unused_result));
void policy_write(struct str *out, const struct policy *policy);
/* One log and `need` of its witnesses, as most leagues have it; `need` 0 with no witnesses. The witnesses are set already. */
void policy_need(struct policy *policy, int need);

struct policy_seen {
    int log;                   /* whose checkpoint it is */
    int64_t time[POLICY_MOST]; /* when each witness cosigned, seconds since 1970; 0: has not */
    int count;                 /* how many have */
    bool quorum;               /* they are enough */
    int64_t earliest; /* time at which the first of them had cosigned, and at which they were enough; */
    int64_t enough;   /* 0: none has, or never, or none is needed */
};
/* The checkpoint of a note that one of the policy's logs has signed, and who cosigned it. A quorum that is not reached
 * is no error. ERR_INPUT. */
int policy_verify(const struct policy *policy, struct slice note, struct checkpoint *checkpoint,
                  struct policy_seen *seen, struct err *err) __attribute__((warn_unused_result));

/* Are these witnesses enough? Bit n: the witness n. */
bool policy_agrees(const struct policy *policy, uint32_t witnesses);

#endif
