// An iteration calls code that uses OpenMP, whose body calls code that uses takt. The OpenMP region ends on the thread
// on which it began.
#include "foreign_frames.hpp"

int main() {
  host::run_inside_each_other(
      [](int count, auto body) {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < count; ++i) body(i);
      },
      15);
}
