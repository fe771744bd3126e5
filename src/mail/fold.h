/* Writes header fields of ours: encoded (RFC 2047, 2231), folded at 76 columns, CRLF. Private to mail/.
 *
 * A text with "=?...?=" in it is encoded, so that nobody reads it as an encoded word.
 *
 * No value can inject a field: line ends and control characters are replaced before anything is written. */
#ifndef MAIL_FOLD_H
#define MAIL_FOLD_H

#include "base/str.h"

/* Unstructured text in UTF-8, as in Subject. Text that would not survive folding is encoded. */
void fold_text(struct str *out, const char *name, const char *text);
/* `Name: "display" <address>`, or the address alone when there is no display name. */
void fold_mailbox(struct str *out, const char *name, const char *address, const char *display);
/* Words that may be folded between: ids, tokens, "<a@b> <c@d>". Bytes outside printable ASCII become "_". */
void fold_words(struct str *out, const char *name, const char *words);
/* One "<...>" without any space inside, as in Message-ID and List-Id. */
void fold_angle(struct str *out, const char *name, const char *text);
/* Content-Disposition of an attachment; the file name loses its folders. */
void fold_attachment(struct str *out, const char *file_name);

#endif
