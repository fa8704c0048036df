// An iteration calls code that uses oneTBB, whose body calls code that uses takt. oneTBB's loop ends on the thread on
// which it began.
#include "foreign_frames.hpp"

#include <tbb/parallel_for.h>

int main() {
  host::run_inside_each_other([](int count, auto body) { tbb::parallel_for(0, count, body); }, 15);
}
