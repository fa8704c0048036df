// Threads that come, call and end by the thousand. Some call again as they end: from a destructor of a thread_local
// that was there before takt's first use, and from destructors of pthreads keys, in each of their rounds. Nothing
// stays: no mapping, no worker, and no number of a call, of which there are 8,191.
#include "process.hpp"

#include <pthread.h>

#include <climits>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> calls{0};

void call() {
  const auto [a, b] = takt::fork_join([] { return 1; }, [] { return 2; });
  HOST_CHECK(a == 1 && b == 2);
  calls.fetch_add(1);
}

struct last_words {
  ~last_words() { call(); }
};

pthread_key_t late_key;
thread_local int rounds = 0;

void late_words(void* self) {
  call();
  // Until the system has no more rounds.
  if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(late_key, self);
}

void plain() { call(); }
void with_last_words() {
  thread_local last_words words;
  (void)&words;
  call();
}
void with_late_words() {
  pthread_setspecific(late_key, &late_key);
  call();
}
void only_late_words() { pthread_setspecific(late_key, &late_key); }

std::size_t workers() {
  const std::string report = takt::stats_json();
  std::size_t count = 0;
  for (std::size_t at = 0; (at = report.find("{\"worker\":", at)) != std::string::npos; ++at) ++count;
  return count;
}

template <class F>
void check(const char* what, F body, int calls_each) {
  constexpr int k_threads = 400;
  const auto run = [&] {
    for (int i = 0; i < k_threads; ++i) std::thread(body).join();
  };
  // What there is to warm up is warm then.
  std::thread(body).join();
  const long before = host::mappings();
  const std::size_t workers_before = workers();
  const int calls_before = calls;
  run();
  const long after = host::mappings();
  HOST_CHECK(calls - calls_before == k_threads * calls_each, "%s: %d calls", what, calls - calls_before);
  HOST_CHECK(after < before + k_threads / 10, "%s: %ld mappings before, %ld after", what, before, after);
  HOST_CHECK(workers() <= workers_before + 2, "%s: %zu workers before, %zu after", what, workers_before, workers());
}

}  // namespace

int main(int argc, char**) {
  // With an argument: no key is left for takt, which cannot be told of a thread's end then.
  HOST_CHECK(pthread_key_create(&late_key, &late_words) == 0);
  std::vector<pthread_key_t> others;
  for (pthread_key_t key; argc > 1 && pthread_key_create(&key, nullptr) == 0;) others.push_back(key);
  check("a call each", &plain, 1);
  check("a thread_local's destructor calls", &with_last_words, 2);
  check("a key's destructor calls", &with_late_words, 1 + PTHREAD_DESTRUCTOR_ITERATIONS);
  check("nothing but a key's destructor calls", &only_late_words, PTHREAD_DESTRUCTOR_ITERATIONS);
  // If one of a thread's calls, or the one of its destructor, had kept a number, none would be left, and calls serial.
  for (int i = 0; i < 8200; ++i) std::thread(&with_last_words).join();
  HOST_CHECK(host::two_run_side_by_side());
}
