#include "base/sandbox_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/zone.h"

/* What headers older than the kernel do not know. */
#define FS_TRUNCATE    (1ULL << 14) /* ABI 3 */
#define FS_IOCTL_DEV   (1ULL << 15) /* 5 */
#define NET_BIND_TCP   (1ULL << 0)  /* 4 */
#define SCOPE_ABSTRACT (1ULL << 0)  /* 6: sockets without a file */
#define SCOPE_SIGNAL   (1ULL << 1)  /* 6 */
#define ABI_LEAST      2            /* before it no file could be renamed into another folder */

struct ruleset {
    uint64_t files, net, scope;
};

#define READ     (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ON_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)
#define WRITE                                                                      \
    (READ | ON_FILES | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER)
#define ALL ((1ULL << 14) - 1) /* as of ABI 2, including execution */

/* What the libraries read on demand: resolver, certificates, character sets, zones. The resolver's
 * file is often a link to one of the folders in /run, where it is replaced at each change. */
static const struct sandbox_path of_system[] = {
    {"/usr", false},
    {"/lib", false},
    {"/lib64", false},
    {"/etc/ssl", false},
    {"/etc/pki", false},
    {"/etc/ca-certificates", false},
    {"/etc/gnutls", false},
    {"/etc/crypto-policies", false},
    {"/etc/pkcs11", false},
    {"/etc/resolv.conf", false},
    {"/etc/hosts", false},
    {"/etc/host.conf", false},
    {"/etc/hostname", false},
    {"/etc/nsswitch.conf", false},
    {"/etc/gai.conf", false},
    {"/etc/services", false},
    {"/etc/ld.so.cache", false},
    {"/etc/localtime", false},
    {"/run/systemd/resolve", false},
    {"/run/resolvconf", false},
    {"/run/NetworkManager", false},
    {"/sys/devices/system/cpu", false},
    {"/dev/urandom", false},
    {"/dev/random", false},
    {"/dev/null", true},
};
#define OF_SYSTEM (sizeof of_system / sizeof *of_system)

static int abi(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool sandbox_files_known(void)
{
    return abi() >= ABI_LEAST;
}

static int allow(int ruleset, const struct ruleset *rules, const struct sandbox_path *path)
{
    struct stat st;
    int fd = open(path->path, O_PATH | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return 0;
    int rc = fd < 0 ? -1 : fstat(fd, &st);
    if (rc == 0) {
        uint64_t wanted = path->write ? WRITE : READ;
        if (!S_ISDIR(st.st_mode))
            wanted &= ON_FILES;
        const struct landlock_path_beneath_attr rule = {.allowed_access = wanted & rules->files,
                                                        .parent_fd = fd};
        rc = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    if (fd >= 0) {
        int why = errno;
        close(fd);
        errno = why;
    }
    return rc;
}

static int allow_all(int ruleset, const struct ruleset *rules, const struct sandbox_path *paths, size_t count,
                     struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (allow(ruleset, rules, &paths[i]) != 0)
            return err_sys(err, ERR_CONFIG, "cannot keep %s when all other files are given up",
                           paths[i].path);
    return 0;
}

int sandbox_files(const struct sandbox_path *paths, size_t count, struct err *err)
{
    int version = abi();
    const struct ruleset rules = {
        .files = ALL | (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL_DEV : 0),
        .net = version >= 4 ? NET_BIND_TCP : 0,
        .scope = version >= 6 ? SCOPE_ABSTRACT | SCOPE_SIGNAL : 0,
    };
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof rules.files : sizeof rules.files;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0)
        return err_sys(err, ERR_CONFIG, "cannot give up files by landlock");
    const struct sandbox_path zones = {zone_folder(), false};
    int rc = allow_all(ruleset, &rules, of_system, OF_SYSTEM, err);
    if (rc == 0)
        rc = allow_all(ruleset, &rules, &zones, 1, err);
    if (rc == 0)
        rc = allow_all(ruleset, &rules, paths, count, err);
    if (rc == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        rc = err_sys(err, ERR_CONFIG, "cannot give up files by landlock");
    close(ruleset);
    return rc;
}

/* ---- files that are replaced ---- */

static uint64_t mix(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * 1099511628211ULL;
}

static uint64_t stamp(uint64_t hash, const struct sandbox_path *path)
{
    struct stat st;
    if (stat(path->path, &st) != 0)
        return mix(hash, 1);
    return S_ISDIR(st.st_mode) ? hash : mix(mix(hash, st.st_dev), st.st_ino);
}

uint64_t sandbox_stamp(const struct sandbox_path *paths, size_t count)
{
    uint64_t hash = 14695981039346656037ULL;
    for (size_t i = 0; i < OF_SYSTEM; i++)
        hash = stamp(hash, &of_system[i]);
    for (size_t i = 0; i < count; i++)
        hash = stamp(hash, &paths[i]);
    return hash;
}
