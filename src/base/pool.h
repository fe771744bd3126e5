/* Memory for JSON documents. A turn makes and drops some thousands of small values; the pool keeps blocks of
 * a few sizes in lists of their own, which costs a fifth of malloc and free. What is given back is used again
 * and never returned to the system. Other threads than the one that began it get their memory from malloc. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

/* Makes jansson use the pool: once, at the start of the process, before there is any JSON. In builds with
 * sanitizers it does nothing, so that these see every block. Out of memory ends the process (base/mem.h). */
void pool_begin(void);

#endif
