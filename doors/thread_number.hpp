// Numbers of threads, for libraries that ask which thread it is.
#pragma once

#include <mutex>
#include <set>

namespace takt::doors {

/// The lowest number that no other thread has, from the first question on; given back when the thread ends. So in a
/// program with one thread of its own it is below the number of workers.
class thread_number {
 public:
  // Not inlined: code may go on on another thread after a fork, and must not keep a thread's address.
  [[gnu::noinline]] static int here() {
    thread_local const thread_number mine;
    return mine.number_;
  }

 private:
  struct numbers {
    std::mutex mutex;
    std::set<int> free;
    int next = 0;
  };
  // Never destroyed: threads may end later.
  static numbers& all() {
    static numbers& one = *new numbers;
    return one;
  }
  thread_number() {
    const std::lock_guard one(all().mutex);
    number_ = all().free.empty() ? all().next++ : all().free.extract(all().free.begin()).value();
  }
  ~thread_number() {
    const std::lock_guard one(all().mutex);
    all().free.insert(number_);
  }
  int number_;
};

}  // namespace takt::doors
