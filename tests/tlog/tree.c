/* The tree of RFC 6962 against its own words, section 2.1, and against vectors that others have published. */
#include "tlog/made.h"

#include "base/encode.h"

#define MOST 300

/* The tree as RFC 6962 defines it: MTH(D[from:to]), kept for the next time. */
static struct tree_hash naive[MOST + 1][MOST + 1];
static bool known[MOST + 1][MOST + 1];

static int split(int n)
{
    int k = 1;
    while (k * 2 < n)
        k *= 2;
    return k;
}

static const struct tree_hash *mth(int from, int to)
{
    struct tree_hash *out = &naive[from][to];
    if (!known[from][to]) {
        struct str line = STR_INIT;
        if (to == from)
            tree_empty(out);
        else if (to == from + 1) {
            make_line(&line, from);
            str_addc(&line, '\n');
            tree_leaf(out, slice_str(&line));
        } else
            tree_node(out, mth(from, from + split(to - from)), mth(from + split(to - from), to));
        known[from][to] = true;
        str_release(&line);
    }
    return out;
}

static void add(struct tree_path *path, const struct tree_hash *hash)
{
    path->hash[path->count++] = *hash;
}

static void naive_path(int m, int from, int to, struct tree_path *out)
{
    int k = split(to - from);
    if (to - from == 1)
        return;
    if (m < k) {
        naive_path(m, from, from + k, out);
        add(out, mth(from + k, to));
    } else {
        naive_path(m - k, from + k, to, out);
        add(out, mth(from, from + k));
    }
}

static void naive_proof(int m, int from, int to, bool whole, struct tree_path *out)
{
    int k = split(to - from);
    if (m == to - from) {
        if (!whole)
            add(out, mth(from, to));
    } else if (m <= k) {
        naive_proof(m, from, from + k, whole, out);
        add(out, mth(from + k, to));
    } else {
        naive_proof(m - k, from + k, to, false, out);
        add(out, mth(from, from + k));
    }
}

static bool same_path(const struct tree_path *a, const struct tree_path *b)
{
    return a->count == b->count && memcmp(a->hash, b->hash, a->count * sizeof *a->hash) == 0;
}

/* The leaves with which Certificate Transparency's own programs are tested. */
START_TEST(published_roots)
{
    static const char *const leaves[] = {
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"};
    static const char *const roots[] = {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
    struct tree_range range = {0};
    struct tree_hash hash, want;
    tree_range_root(&range, &hash);
    ck_assert(hex_decode(want.b, TREE_HASH,
                         slice_of("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")));
    ck_assert(tree_hash_equal(&hash, &want));
    for (size_t i = 0; i < 8; i++) {
        char leaf[16];
        size_t len = strlen(leaves[i]) / 2;
        ck_assert(hex_decode(leaf, len, slice_of(leaves[i])));
        tree_leaf(&hash, (struct slice){leaf, len});
        tree_append(&range, &hash);
        tree_range_root(&range, &hash);
        ck_assert(hex_decode(want.b, TREE_HASH, slice_of(roots[i])));
        ck_assert_msg(tree_hash_equal(&hash, &want), "%zu leaves", i + 1);
    }
}
END_TEST

START_TEST(every_inclusion_and_root)
{
    struct made_log *log = make_log(MOST);
    struct tree_reader reader = made_reader(log);
    struct tree_range range = {0};
    struct err err = ERR_INIT;
    for (int size = 0; size <= MOST; size++) {
        struct tree_hash root;
        ck_ok(tree_root(&reader, size, &root, &err), err);
        ck_assert(tree_hash_equal(&root, mth(0, size)));
        tree_range_root(&range, &root);
        ck_assert(tree_hash_equal(&root, mth(0, size)));
        if (size < MOST)
            tree_append(&range, &log->hash[0][size]);
        for (int i = 0; i < size; i++) {
            struct tree_path path, want = {.count = 0};
            naive_path(i, 0, size, &want);
            if (tree_inclusion(&reader, i, size, &path, &err) || !same_path(&path, &want) ||
                !tree_includes(&log->hash[0][i], i, &path, size, &root) ||
                (i % 7 == 1 && tree_includes(&log->hash[0][i], i ^ 1, &path, size, &root)))
                ck_abort_msg("leaf %d of %d", i, size);
        }
    }
    free(log);
}
END_TEST

START_TEST(every_consistency)
{
    struct made_log *log = make_log(MOST);
    struct tree_reader reader = made_reader(log);
    struct err err = ERR_INIT;
    for (int size = 0; size <= MOST; size++)
        for (int old = 0; old <= size; old++) {
            struct tree_path path, want = {.count = 0};
            if (old)
                naive_proof(old, 0, size, true, &want);
            if (tree_consistency(&reader, old, size, &path, &err) || !same_path(&path, &want) ||
                !tree_extends(old, mth(0, old), &path, size, mth(0, size)) ||
                (old && old < size && old % 7 == 1 &&
                 (tree_extends(old, mth(0, old - 1), &path, size, mth(0, size)) ||
                  tree_extends(old, mth(0, old), &path, size, mth(0, size - 1)) ||
                  tree_extends(old - 1, mth(0, old - 1), &path, size, mth(0, size)))))
                ck_abort_msg("%d of %d", old, size);
        }
    free(log);
}
END_TEST

/* Each bit of a proof, a hash too many or too few, and numbers from strangers. */
START_TEST(nothing_else_is_proved)
{
    struct made_log *log = make_log(MOST);
    struct tree_reader reader = made_reader(log);
    struct err err = ERR_INIT;
    const struct tree_hash *root = mth(0, MOST), *old_root = mth(0, 77), *leaf = &log->hash[0][200];
    struct tree_path in, on;
    ck_ok(tree_inclusion(&reader, 200, MOST, &in, &err), err);
    ck_ok(tree_consistency(&reader, 77, MOST, &on, &err), err);
    for (size_t bit = 0; bit < in.count * TREE_HASH * 8; bit++) {
        in.hash[bit / 256].b[bit % 256 / 8] ^= (unsigned char)(1U << bit % 8);
        ck_assert(!tree_includes(leaf, 200, &in, MOST, root));
        in.hash[bit / 256].b[bit % 256 / 8] ^= (unsigned char)(1U << bit % 8);
    }
    for (size_t bit = 0; bit < on.count * TREE_HASH * 8; bit++) {
        on.hash[bit / 256].b[bit % 256 / 8] ^= (unsigned char)(1U << bit % 8);
        ck_assert(!tree_extends(77, old_root, &on, MOST, root));
        on.hash[bit / 256].b[bit % 256 / 8] ^= (unsigned char)(1U << bit % 8);
    }
    for (int64_t i = -2; i < MOST + 2; i++)
        ck_assert(tree_includes(leaf, i, &in, MOST, root) == (i == 200));
    in.count--;
    on.count--;
    ck_assert(!tree_includes(leaf, 200, &in, MOST, root));
    ck_assert(!tree_extends(77, old_root, &on, MOST, root));
    in.count += 2;
    on.count += 2;
    ck_assert(!tree_includes(leaf, 200, &in, MOST, root));
    ck_assert(!tree_extends(77, old_root, &on, MOST, root));
    ck_assert(!tree_includes(leaf, 0, &in, 0, root));
    ck_assert(!tree_includes(leaf, INT64_MAX - 1, &in, INT64_MAX, root));
    ck_assert(!tree_extends(INT64_MAX - 1, old_root, &on, INT64_MAX, root));
    ck_assert(!tree_extends(-1, old_root, &on, MOST, root));
    ck_assert(!tree_extends(MOST, root, &on, 77, old_root));
    free(log);
}
END_TEST

static void check_path(int level, int64_t index, int width, const char *want)
{
    struct str path = STR_INIT;
    tile_path(&path, level, index, width);
    ck_assert_str_eq(path.p, want);
    str_release(&path);
}

/* Those that c2sp.org/tlog-tiles gives. */
START_TEST(paths_of_tiles)
{
    check_path(0, 1234067, 256, "tile/0/x001/x234/067");
    check_path(0, 0, 256, "tile/0/000");
    check_path(1, 999, 17, "tile/1/999.p/17");
    check_path(2, 1000, 1, "tile/2/x001/000.p/1");
    check_path(TILE_ENTRIES, 273, 112, "tile/entries/273.p/112");
    check_path(TILE_ENTRIES, 1000000, 256, "tile/entries/x001/x000/000");
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, published_roots);
    tcase_add_test(tc, every_inclusion_and_root);
    tcase_add_test(tc, every_consistency);
    tcase_add_test(tc, nothing_else_is_proved);
    tcase_add_test(tc, paths_of_tiles);
}

TEST_MAIN_TOGETHER("tlog/tree", add_cases)
