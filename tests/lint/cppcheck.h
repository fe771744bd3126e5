/* What cppcheck is told instead of jansson's loops, which it does not understand (make lint). As -D it would mistake
 * other macros. */
#define json_array_foreach(array, index, value) \
    for ((index) = 0; (value) = json_array_get((array), (index)); (index)++)
#define json_object_foreach(object, key, value)                                           \
    for ((key) = next_key(object); (key) && ((value) = json_object_get((object), (key))); \
         (key) = next_key(object))
