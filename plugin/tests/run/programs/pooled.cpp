// What is dear to make is made once by each who takes part, whether it is a buffer, a copy of a class or a large array.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

// Prints what is wrong only: how many there are is each runtime's business, up to the size of the region's team.
long made = 0;
long ended = 0;
int most = 1;

template <class T>
struct counting : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = counting<U>;
  };
  T* allocate(std::size_t n) {
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    __atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
    std::allocator<T>().deallocate(p, n);
  }
};
using buffer = std::vector<long, counting<long>>;

long* make_long() {
  __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
  return new long[1000]();
}
void begin() { made = ended = 0; }
void end(const char* what, long mixed, int beside) {
  std::printf("%s %ld\n", what, mixed);
  if (made > most + beside || made != ended + beside) std::printf("  made %ld, ended %ld\n", made, ended);
}

constexpr int k_rows = 20000;
long cells[k_rows];

long mixed_cells() {
  long mixed = 0;
  for (long& c : cells) {
    mixed = (mixed * 31 + c) % 1000003;
    c = 0;
  }
  return mixed;
}

long row(buffer& scratch, int i) {
  for (std::size_t k = 0; k < 20; ++k) scratch[k] = static_cast<long>(k) * i % 97;
  long sum = 0;
  for (std::size_t k = 0; k < 20; ++k) sum += scratch[k];
  return sum;
}

}  // namespace

// What it points to is not known.
long* (*make)() = &make_long;

int main() {
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) most = std::atoi(threads);
  begin();
#pragma omp parallel
  {
    buffer scratch(1000);
#pragma omp for
    for (int i = 0; i < k_rows; ++i) cells[i] += row(scratch, i);
  }
  end("a buffer", mixed_cells(), 0);

  begin();
  int last = -1;
  unsigned long sum = 0;  // a sum that may overflow is not combined by one instruction under sanitizers
#pragma omp parallel
  {
    buffer scratch(1000);
#pragma omp for schedule(dynamic, 3) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < k_rows; ++i) {
      cells[i] += row(scratch, i);
      last = i;
      sum += static_cast<unsigned long>(cells[i]);
    }
  }
  end("with results", mixed_cells() + last + static_cast<long>(sum), 0);

  {
    begin();
    buffer given(100, 7);
#pragma omp parallel for firstprivate(given) schedule(static, 7)
    for (int i = 0; i < k_rows; ++i) {
      const long before = given[static_cast<std::size_t>(i % 100)];
      cells[i] += before / 7 + row(given, i);
      for (long& value : given) value = 7;
    }
    end("copies", mixed_cells(), 1);
  }

  long sums[2000] = {};
#pragma omp parallel for reduction(+ : sums)
  for (int i = 0; i < k_rows; ++i) sums[i % 2000] += i;
  for (int i = 0; i < 2000; ++i) cells[i] = sums[i];
  begin();
  end("large sums", mixed_cells(), 0);

  // Iterations with parallel loops of their own; none; and few.
  for (const int rows : {300, 0, 1, 2}) {
    begin();
#pragma omp parallel
    {
      buffer scratch(1000);
#pragma omp for
      for (int i = 0; i < rows; ++i) {
        long inner = 0;
#pragma omp parallel for reduction(+ : inner)
        for (int k = 0; k < 50; ++k) inner += k * i;
        scratch[static_cast<std::size_t>(i)] = inner;
        cells[i] += scratch[static_cast<std::size_t>(i)] % 1009;
      }
    }
    end("loops inside", mixed_cells() + rows, 0);
  }

  // As many as the region asks for, or the program has set, where that is less.
  const int usual = most;
  for (const int asked : {2, usual}) {
    begin();
    most = asked < usual ? asked : usual;
#pragma omp parallel num_threads(most)
    {
      std::unique_ptr<long[]> scratch(make());
#pragma omp for schedule(dynamic)
      for (int i = 0; i < k_rows; ++i) {
        for (long k = 0; k < 20; ++k) scratch[k] = k * i % 97;
        for (long k = 0; k < 20; ++k) cells[i] += scratch[k];
      }
    }
    ended = made;
    end("asked for", mixed_cells(), 0);
  }
#ifdef _OPENMP
  omp_set_num_threads(2);
  most = 2;
#endif
  begin();
#pragma omp parallel
  {
    buffer scratch(1000);
#pragma omp for
    for (int i = 0; i < k_rows; ++i) cells[i] += row(scratch, i);
  }
  end("set", mixed_cells(), 0);
#ifdef _OPENMP
  omp_set_num_threads(usual);
  most = usual;
#endif

  // Again and again, from a thread that is in no parallel call.
  begin();
  for (int round = 0; round < 200; ++round) {
#pragma omp parallel
    {
      std::string text(100, 'x');
#pragma omp for
      for (int i = 0; i < (round % 40 == 0 ? 5000 : 10); ++i) {
        text[static_cast<std::size_t>(i % 100)] = static_cast<char>('a' + i % 26);
        cells[i] += text[static_cast<std::size_t>(i % 100)];
      }
    }
  }
  end("short and long", mixed_cells(), 0);

  begin();
#pragma omp parallel num_threads(1)
  {
    buffer scratch(1000);
#pragma omp for
    for (int i = 0; i < 100; ++i) cells[i] += scratch[0]++;
  }
  if (made != 1) std::printf("  made %ld by a team of one\n", made);
  end("a team of one", mixed_cells(), 0);
}
// converted: 10 loops, 0 regions, 0 left
