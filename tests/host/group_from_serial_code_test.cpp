// A group that is filled outside parallel calls, with many children: who adds them never waits for one, and what they do,
// throw and add arrives as ever. With a bound they need no more memory than that.
#include "process.hpp"

#include <stdexcept>
#include <thread>

namespace {

void memory_stays() {
  constexpr long k_children = 2'000'000;
  std::atomic<long> ran{0};
  takt::task_group group(takt::at_most(1000));
  const long before = host::used_memory().resident_mb;
  for (long i = 0; i < k_children; ++i) group.run([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
  const long after = host::used_memory().resident_mb;
  HOST_CHECK(after - before < 64, "%ld MB for children that wait", after - before);
  group.wait();
  HOST_CHECK(ran == k_children);
}

// The same from a branch that is not the group's home: its children are handed to everybody.
void memory_stays_elsewhere() {
  constexpr long k_children = 300'000;
  std::atomic<long> ran{0};
  long grown = 0;
  takt::task_group group;
  const auto fill = [&] {
    const long before = host::used_memory().resident_mb;
    for (long i = 0; i < k_children; ++i) group.run([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
    grown = host::used_memory().resident_mb - before;
  };
  takt::fork_join(fill, [] {});
  group.wait();
  HOST_CHECK(ran == k_children);
  HOST_CHECK(grown < 32, "%ld MB for children that were handed out", grown);
}

void nobody_waits_in_run() {
  std::atomic<bool> all_added{false};
  std::atomic<int> ran{0};
  takt::task_group group;
  for (int i = 0; i < 5000; ++i) {
    group.run([&] {
      HOST_CHECK(host::wait_until([&all_added] { return all_added.load(); }), "run() waits for a child");
      ran.fetch_add(1);
    });
  }
  all_added = true;
  HOST_CHECK(host::wait_until([&ran] { return ran > 0; }), "no child ran before wait()");
  group.wait();
  HOST_CHECK(ran == 5000);
}

void first_error_arrives() {
  for (const int first : {0, 500, 1023, 1024, 1500, 4999}) {
    takt::task_group group;
    std::atomic<int> ran{0};
    for (int i = 0; i < 5000; ++i) {
      group.run([&ran, i, first] {
        ran.fetch_add(1);
        if (i >= first && (i == first || i % 7 == 0)) throw i;
      });
    }
    int caught = -1;
    try {
      group.wait();
    } catch (int i) {
      caught = i;
    }
    HOST_CHECK(caught == first, "%d in place of %d", caught, first);
    HOST_CHECK(ran == 5000);
    group.wait();  // and has been taken out
  }
}

void children_add_children() {
  takt::task_group group;
  std::atomic<int> ran{0};
  for (int i = 0; i < 5000; ++i) {
    group.run([&] {
      ran.fetch_add(1);
      group.run([&ran] { ran.fetch_add(1); });
    });
  }
  group.wait();
  HOST_CHECK(ran == 10000, "%d", ran.load());
}

// Two threads fill it while a third one waits, again and again.
void filled_while_waited_for() {
  constexpr int k_each = 60'000;
  takt::task_group group;
  std::atomic<int> ran{0};
  std::atomic<int> over{0};
  const auto fill = [&] {
    for (int i = 0; i < k_each; ++i) group.run([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
    over.fetch_add(1);
  };
  std::thread one(fill);
  std::thread other(fill);
  while (over != 2) group.wait();
  one.join();
  other.join();
  group.wait();
  HOST_CHECK(ran == 2 * k_each, "%d", ran.load());
}

}  // namespace

int main() {
  memory_stays();
  memory_stays_elsewhere();
  nobody_waits_in_run();
  first_error_arrives();
  children_add_children();
  filled_while_waited_for();
}
