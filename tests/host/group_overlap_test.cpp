// A child of a group begins beside the code between run() and wait(), whatever that is. That code goes on only when the
// child has begun: if it never does, the test does not end.
#include "process.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace {

void plain(const std::atomic<int>& begun) {
  while (begun == 0) {
  }
}

void forks(const std::atomic<int>& begun) {
  while (begun == 0) takt::fork_join([] {}, [] {});
}

void loops(const std::atomic<int>& begun) {
  while (begun == 0) takt::parallel_for(0, 100, [](int) {});
}

void another_group(const std::atomic<int>& begun) {
  while (begun == 0) {
    takt::task_group group;
    for (int i = 0; i < 10; ++i) group.run([] {});
    group.wait();
  }
}

using code = void (*)(const std::atomic<int>&);

void begins_beside(code other, takt::group_order order, int children) {
  takt::task_group group(order);
  std::atomic<int> begun{0};
  for (int i = 0; i < children; ++i) group.run([&begun] { ++begun; });
  other(begun);
  group.wait();
  HOST_CHECK(begun == children);
}

// The rest begins, too, when the first has: not as many as there are workers alone.
void all_begin() {
  constexpr int k_children = 500;
  takt::task_group group;
  std::atomic<int> begun{0};
  for (int i = 0; i < k_children; ++i) group.run([&begun] { ++begun; });
  while (begun < k_children) {
  }
  group.wait();
}

// A group that is waited for by another thread's fiber, and destroyed there, while the one that has filled it goes on.
void goes_to_another() {
  std::atomic<int> ran{0};
  for (int i = 0; i < 200; ++i) {
    std::atomic<bool> gone{false};
    auto group = std::make_unique<takt::task_group>();
    takt::fork_join(
        [&] {
          for (int k = 0; k < 3; ++k) group->run([&ran] { ++ran; });
          takt::fork_join(
              [&] {
                while (!gone) takt::fork_join([] {}, [] {});
              },
              [&] {
                group->wait();
                group.reset();
                gone = true;
              });
        },
        [] {});
  }
  HOST_CHECK(ran == 600);
}

// More threads than workers fill groups, and each waits for its own.
void of_several_threads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 50; ++i) begins_beside(&plain, takt::group_order::newest_first, 3);
    });
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace

int main() {
  for (const code other : {&plain, &forks, &loops, &another_group}) {
    for (const auto order : {takt::group_order::newest_first, takt::group_order::oldest_first}) {
      for (int i = 0; i < 250; ++i) begins_beside(other, order, 1 + i % 3);
      for (int i = 0; i < 50; ++i) takt::fork_join([=] { begins_beside(other, order, 1 + i % 3); }, [] {});
    }
  }
  for (int i = 0; i < 20; ++i) all_begin();
  takt::fork_join([] { all_begin(); }, [] {});
  goes_to_another();
  of_several_threads();
  return 0;
}
