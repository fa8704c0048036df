// Thread-local variables: a copy for each member, which the same member of the next region of that size finds again.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <set>
#include <thread>
#include <vector>

#include "check.h"

static int own = 7;
#pragma omp threadprivate(own)

struct counted {
  int value = 11;
  ~counted() { value = -1; }
};
static thread_local counted object;

// Each member finds what it left in the region before, through barriers and tasks.
static void regions(int n) {
  std::vector<int*> seen(static_cast<std::size_t>(n));
  for (int round = 0; round < 20; ++round) {
    int total = 0;
#pragma omp parallel num_threads(n) reduction(+ : total)
    {
      const int self = omp_get_thread_num();
      CHECK(own == (round == 0 ? 7 : self * 100 + round));
      CHECK(object.value == (round == 0 ? 11 : self * 1000 + round));
      if (round > 0) CHECK(seen[static_cast<std::size_t>(self)] == &own);
      seen[static_cast<std::size_t>(self)] = &own;
      own = self * 100 + round + 1;
      object.value = self * 1000 + round + 1;
#pragma omp barrier
#pragma omp single
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        {
#pragma omp taskyield
        }
      }
      CHECK(own == self * 100 + round + 1 && object.value == self * 1000 + round + 1);
#pragma omp critical
      total += 1;
    }
    CHECK(total == n);
    CHECK(std::set<int*>(seen.begin(), seen.end()).size() == static_cast<std::size_t>(n));
  }
  own = 7;
  object.value = 11;
}

static void copies(int n) {
  own = 42;
#pragma omp parallel num_threads(n) copyin(own)
  {
    CHECK(own == 42);
#pragma omp barrier
    own += omp_get_thread_num();
#pragma omp barrier
    CHECK(own == 42 + omp_get_thread_num());
  }
#pragma omp parallel num_threads(n)
  CHECK(own == 42 + omp_get_thread_num());
}

// The threads are gone with what they had.
static void pauses(int n) {
#pragma omp parallel num_threads(n)
  {
    own = 500;
    CHECK(omp_pause_resource_all(omp_pause_hard) != 0);
  }
  CHECK(omp_pause_resource_all(omp_pause_hard) == 0);
#pragma omp parallel num_threads(n)
  CHECK(own == (omp_get_thread_num() == 0 ? 500 : 7));
}

// Its members begin as the code that makes it.
static void rounds(int n) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST}) {
    std::fesetround(mode);
#pragma omp parallel num_threads(n)
    CHECK(std::fegetround() == mode);
  }
}

static void nests(int n) {
  omp_set_max_active_levels(2);
  int all = 0;
#pragma omp parallel num_threads(n) reduction(+ : all)
  {
    own = omp_get_thread_num();
    int inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner)
    {
      CHECK(omp_get_level() == 2 && omp_get_num_threads() == 3);
#pragma omp barrier
      inner += 1;
    }
    CHECK(inner == 3 && own == omp_get_thread_num());
    all += inner;
  }
  CHECK(all == 3 * n);
  omp_set_max_active_levels(1);
}

int main() {
  const int n = omp_get_max_threads();
  regions(n);
  // Threads of the program's at a time, and one after the other: none finds what another's members left.
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([n] { regions(n); });
    for (std::thread& t : threads) t.join();
  }
  copies(n);
  rounds(n);
  nests(n);
  copies(n);
  pauses(n);
  pauses(n);
  const pid_t child = fork();
  if (child == 0) {
    copies(n);
    _exit(7);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  puts("right");
}
