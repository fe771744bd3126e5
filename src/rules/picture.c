#include "rules/picture.h"

#include <string.h>

/* 10000 times the sine of whole degrees. */
static const int sines[91] = {0,    175,  349,  523,  698,  872,  1045, 1219, 1392, 1564, 1736, 1908, 2079,
                              2250, 2419, 2588, 2756, 2924, 3090, 3256, 3420, 3584, 3746, 3907, 4067, 4226,
                              4384, 4540, 4695, 4848, 5000, 5150, 5299, 5446, 5592, 5736, 5878, 6018, 6157,
                              6293, 6428, 6561, 6691, 6820, 6947, 7071, 7193, 7314, 7431, 7547, 7660, 7771,
                              7880, 7986, 8090, 8192, 8290, 8387, 8480, 8572, 8660, 8746, 8829, 8910, 8988,
                              9063, 9135, 9205, 9272, 9336, 9397, 9455, 9511, 9563, 9613, 9659, 9703, 9744,
                              9781, 9816, 9848, 9877, 9903, 9925, 9945, 9962, 9976, 9986, 9994, 9998, 10000};

static int sine(int degrees)
{
    int turned = (degrees % 360 + 360) % 360;
    bool below = turned >= 180;
    int half = below ? turned - 180 : turned;
    int value = sines[half > 90 ? 180 - half : half];
    return below ? -value : value;
}

/* Rounded to the nearest; halves away from 0. */
static int part(int length, int of_10000)
{
    int64_t product = (int64_t)length * of_10000;
    return (int)((product + (product < 0 ? -5000 : 5000)) / 10000);
}

struct spot spot_round(struct spot centre, struct spot radius, int degrees)
{
    return (struct spot){centre.x + part(radius.x, sine(degrees)),
                         centre.y - part(radius.y, sine(degrees + 90))};
}

/* The root of a number, rounded down. */
static int root(int64_t square)
{
    int64_t low = 0, high = 1 << 20;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return (int)low;
}

int spot_distance(struct spot from, struct spot to)
{
    const int64_t x = to.x - from.x, y = to.y - from.y;
    return root(x * x + y * y);
}

struct spot spot_toward(struct spot from, struct spot to, int length)
{
    const int whole = spot_distance(from, to);
    if (!whole)
        return from;
    return (struct spot){from.x + (int)((int64_t)(to.x - from.x) * length / whole),
                         from.y + (int)((int64_t)(to.y - from.y) * length / whole)};
}

void put_spot(struct value *object, struct spot spot)
{
    value_put_int(object, "x", spot.x);
    value_put_int(object, "y", spot.y);
}

void put_line(struct value *object, struct spot from, struct spot to)
{
    value_put_int(object, "x1", from.x);
    value_put_int(object, "y1", from.y);
    value_put_int(object, "x2", to.x);
    value_put_int(object, "y2", to.y);
}

int look_int(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind == VALUE_INTEGER ? (int)member->number : 0;
}

bool look_flag(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind != VALUE_FALSE && member->kind != VALUE_NULL;
}

struct slice look_text(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind == VALUE_TEXT ? member->text : (struct slice){"", 0};
}

const struct value *look_first(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member ? value_first(member) : NULL;
}

int look_count(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member ? (int)value_count(member) : 0;
}

const struct value *look_seat(const struct value *first, int seat)
{
    while (first && look_int(first, "seat") != seat)
        first = first->next;
    return first;
}

const struct value *look_named(const struct value *first, const char *member, struct slice text)
{
    for (; first; first = first->next) {
        struct slice has = look_text(first, member);
        if (has.len == text.len && memcmp(has.p, text.p, text.len) == 0)
            return first;
    }
    return NULL;
}

void put_who(struct value *object, const struct value *player)
{
    value_put_int(object, "seat", look_int(player, "seat"));
    if (look_text(player, "who").len)
        value_put_slice(object, "who", look_text(player, "who"));
    else
        value_put_flag(object, "who", false);
}
