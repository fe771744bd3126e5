#include "trust/work.h"
#include "base/reason.h"

int work_refuse(struct err *err)
{
    return reason_fail(err, "too_much",
                       "this mail has too many signatures and texts; send the signed text alone");
}
