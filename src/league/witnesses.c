#include "league/witnesses.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "league/address.h"

#define FILE_MOST 65536

static bool take_word(struct slice *line, char *out, size_t size)
{
    struct slice word;
    if (!slice_word(line, &word) || word.len >= size)
        return false;
    memcpy(out, word.p, word.len);
    out[word.len] = '\0';
    return true;
}

static int read_line(struct slice line, struct league_witness *witness, struct err *err)
{
    struct slice word;
    *witness = (struct league_witness){.name = ""};
    if (!take_word(&line, witness->name, sizeof witness->name) || !name_valid(slice_of(witness->name)))
        return err_set(err, ERR_CONFIG, "it begins with no name (small letters, digits, . _ -)");
    if (!take_word(&line, witness->address, sizeof witness->address) || address_check(witness->address, err))
        return err_set(err, ERR_CONFIG, "the second word is no mail address");
    if (!slice_word(&line, &word) || vkey_parse(word, &witness->key, err) ||
        witness->key.type != VKEY_COSIGNER)
        return err_set(err, ERR_CONFIG, "the third word is no key of a witness");
    if (!slice_word(&line, &word) || !hex_decode(witness->vrf, VRF_PUBLIC, word) ||
        !vrf_key_good(witness->vrf))
        return err_set(err, ERR_CONFIG, "the fourth word is no key of dice");
    return slice_word(&line, &word) ? err_set(err, ERR_CONFIG, "there is something after the four words") : 0;
}

static int add(struct league_witnesses *witnesses, struct slice line, struct err *err)
{
    if (witnesses->count == WITNESSES_KNOWN)
        return err_set(err, ERR_CONFIG, "there are more than %d", WITNESSES_KNOWN);
    struct league_witness *one = &witnesses->list[witnesses->count];
    if (read_line(line, one, err))
        return -1;
    for (size_t i = 0; i < witnesses->count; i++)
        if (strcmp(witnesses->list[i].name, one->name) == 0)
            return err_set(err, ERR_CONFIG, "%s is there twice", one->name);
    witnesses->count++;
    return 0;
}

int witnesses_read(const char *league_dir, struct league_witnesses *witnesses, struct err *err)
{
    struct str text = STR_INIT;
    char *path = path_join(league_dir, LEAGUE_WITNESSES);
    int rc = file_exists(path) ? file_read(path, FILE_MOST, &text, err) : 0;
    struct slice rest = slice_str(&text), line;
    witnesses->count = 0;
    for (int number = 1; rc == 0 && slice_line(&rest, &line); number++) {
        struct err why = ERR_INIT;
        line = slice_trim(line);
        if (line.len && line.p[0] != '#' && add(witnesses, line, &why))
            rc = err_set(err, ERR_CONFIG, "%s, line %d: %s", path, number, why.text);
    }
    str_release(&text);
    free(path);
    return rc;
}

void witness_line(struct str *out, const struct league_witness *witness)
{
    str_addf(out, "%s %s ", witness->name, witness->address);
    vkey_write(out, &witness->key);
    str_addc(out, ' ');
    hex_encode(out, witness->vrf, VRF_PUBLIC);
}

const struct league_witness *witnesses_find(const struct league_witnesses *witnesses, const char *name)
{
    for (size_t i = 0; i < witnesses->count; i++)
        if (strcmp(witnesses->list[i].name, name) == 0)
            return &witnesses->list[i];
    return NULL;
}
