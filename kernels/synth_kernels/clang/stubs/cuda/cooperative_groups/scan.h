/* scan.h is a part of this: */
#include <cooperative_groups.h>
