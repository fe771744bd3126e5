/* Colours as styles write them, and whether one can be read on another. Only what browsers agree on is a colour: a value that
 * they pass over would leave another one in force. CSS Color 4. */
#include <stdlib.h>
#include <string.h>

#include "mail/reply_parts.h"

#define CONTRAST \
    1.5 /* between letters and ground that can be told apart; the faintest that mail programs write has 1.6 */
#define DARK  0.40 /* of dark letters at most: they can be read on any ground that is light */
#define LIGHT 0.65 /* of light grounds at least */

static bool hex_color(const char *digits, struct reply_color *color)
{
    size_t len = strspn(digits, "0123456789abcdef");
    unsigned long number = strtoul(digits, NULL, 16);
    if ((len != 3 && len != 6) || digits[len])
        return false;
    color->rgb =
        (int)(len == 6 ? number
                       : (number >> 8 & 15) * 0x110000 + (number >> 4 & 15) * 0x1100 + (number & 15) * 0x11);
    return true;
}

/* "1, 2, 3)", "1,2,3,0.5)", "1 2 3 / 50%)": commas everywhere, or nowhere. */
static bool function_color(const char *parts, struct reply_color *color)
{
    const bool commas = strchr(parts, ',') != NULL;
    double part[4] = {0, 0, 0, 1};
    size_t count = 0;
    while (count < 4) {
        bool good = reply_number(parts, &part[count], &parts) && part[count] >= 0 && part[count] <= 255;
        bool percent = *parts == '%';
        if (!good || (percent && count < 3))
            return false;
        part[count++] /= percent ? 100 : 1;
        parts += percent;
        parts += strspn(parts, " ");
        if (*parts == ')')
            break;
        bool mark = commas || count == 3;
        if (mark && *parts != (commas ? ',' : '/'))
            return false;
        parts += mark;
        parts += strspn(parts, " ");
    }
    color->rgb = (int)part[0] << 16 | (int)part[1] << 8 | (int)part[2];
    color->thick = part[3] < 1 ? part[3] : 1;
    return count >= 3 && strcmp(parts, ")") == 0;
}

bool reply_color_read(struct slice word, struct reply_color *color)
{
    static const struct {
        const char *name;
        int rgb;
    } names[] = {{"black", 0},         {"windowtext", 0},    {"canvastext", 0},      {"white", 0xFFFFFF},
                 {"window", 0xFFFFFF}, {"canvas", 0xFFFFFF}, {"red", 0xFF0000},      {"green", 0x008000},
                 {"blue", 0x0000FF},   {"gray", 0x808080},   {"grey", 0x808080},     {"navy", 0x000080},
                 {"teal", 0x008080},   {"maroon", 0x800000}, {"purple", 0x800080},   {"olive", 0x808000},
                 {"orange", 0xFFA500}, {"brown", 0xA52A2A},  {"silver", 0xC0C0C0},   {"lime", 0x00FF00},
                 {"aqua", 0x00FFFF},   {"cyan", 0x00FFFF},   {"fuchsia", 0xFF00FF},  {"magenta", 0xFF00FF},
                 {"yellow", 0xFFFF00}, {"indigo", 0x4B0082}, {"darkblue", 0x00008B}, {"darkred", 0x8B0000}};
    char text[64];
    *color = (struct reply_color){0, 1};
    if (word.len >= sizeof text)
        return false;
    memcpy(text, word.p, word.len);
    text[word.len] = '\0';
    if (*text == '#')
        return hex_color(text + 1, color);
    if (str_starts(text, "rgb(") || str_starts(text, "rgba("))
        return function_color(strchr(text, '(') + 1, color);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(word, names[i].name)) {
            color->rgb = names[i].rgb;
            return true;
        }
    color->thick = 0;
    return slice_eq(word, "transparent");
}

int reply_color_over(struct reply_color color, int ground)
{
    int mixed = 0;
    for (int shift = 0; shift < 24; shift += 8)
        mixed |= (int)(color.thick * (color.rgb >> shift & 255) +
                       (1 - color.thick) * (ground >> shift & 255) + 0.5)
                 << shift;
    return mixed;
}

/* WCAG's relative luminance, near enough: 0 to 1. */
static double light_of(int rgb)
{
    double red = (rgb >> 16 & 255) / 255.0, green = (rgb >> 8 & 255) / 255.0, blue = (rgb & 255) / 255.0;
    return 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue;
}

bool reply_color_reads(struct reply_color letters, int ground)
{
    double one = light_of(reply_color_over(letters, ground)) + 0.05, other = light_of(ground) + 0.05;
    return one / other >= CONTRAST || other / one >= CONTRAST;
}

bool reply_color_dark(struct reply_color letters)
{
    return light_of(reply_color_over(letters, 0xFFFFFF)) <= DARK;
}

bool reply_color_light(int ground)
{
    return light_of(ground) >= LIGHT;
}
