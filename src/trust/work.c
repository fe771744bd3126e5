#include "trust/work.h"

int work_refuse(struct err *err)
{
    return err_set(err, ERR_INPUT, "this mail has too many signatures and texts; send the signed text alone");
}
