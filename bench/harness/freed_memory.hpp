// What a run frees stays with the process.
#pragma once

#include <malloc.h>

namespace takt::bench {

// As malloc starts out, large arrays come from the system and go back to it, or not, as sizes and
// their order happen to be; programs that do the same then differ by a quarter, in page faults
// alone.
inline void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

}  // namespace takt::bench
