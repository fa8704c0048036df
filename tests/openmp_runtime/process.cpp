// Regions in threads of the program's own, in children of fork(2), before main and in destructors; exceptions and
// blocking calls inside.
#include <omp.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "check.h"

static int region(int wanted) {
  int sum = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : sum)
  {
#pragma omp barrier
    sum += 1;
    int caught = -1;
    try {
      throw omp_get_thread_num();
    } catch (int number) {
      // What is handled stays so while others are.
#pragma omp barrier
      caught = number;
      try {
        throw;
      } catch (int again) {
        CHECK(again == number);
      }
    }
    CHECK(caught == omp_get_thread_num());
  }
  return sum;
}

struct early {
  early() { CHECK(region(2) == 2); }
  ~early() { CHECK(region(3) == 3); }
};
static early before_and_after;

// A program that was not made for takt need not expect that what blocks is interrupted.
static void blocks() {
  int cut = 0;
#pragma omp parallel reduction(+ : cut)
  for (int i = 0; i < 5; ++i) {
    const timespec some = {0, 30'000'000};
    cut += nanosleep(&some, nullptr) != 0;
    // Behind a region inside, too.
    CHECK(region(1) == 1);
    cut += nanosleep(&some, nullptr) != 0;
#pragma omp single nowait
    cut += nanosleep(&some, nullptr) != 0;
  }
  CHECK(cut == 0);
}

int main() {
  const int n = omp_get_max_threads();
  CHECK(region(n) == n);
  blocks();
  for (int round = 0; round < 10; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([n] {
        for (int i = 0; i < 20; ++i) CHECK(region(n) == n);
      });
    }
    CHECK(region(n) == n);
    for (std::thread& t : threads) t.join();
  }
  for (int round = 0; round < 3; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      _exit(region(n) == n && region(2) == 2 ? 7 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(region(n) == n);
  }
  puts("right");
}
