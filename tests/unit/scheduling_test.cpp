// Who binds all threads of the process is not overruled by a thread of takt's that had been kept off a CPU meanwhile.
#include "platform/threads/scheduling.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <thread>

namespace {

using takt::platform::affinity_of;
using takt::platform::cpu_set;
using takt::platform::set_affinity_of;

// A thread as the platform starts it, which goes on when it is told to.
class pool_thread {
 public:
  pool_thread()
      : thread_([this] {
          takt::platform::begin_as_process(scheduled);
          come_to(1);
          step_.wait(1);
          takt::platform::follow_process(scheduled);
          come_to(3);
          step_.wait(3);
        }) {
    step_.wait(0);
  }
  ~pool_thread() {
    if (step_.load() == 1) wake();
    come_to(4);
    thread_.join();
  }
  void wake() {
    come_to(2);
    step_.wait(2);
  }
  cpu_set cpus() const {
    cpu_set now;
    affinity_of(scheduled.tid, now);
    return now;
  }

  takt::platform::scheduled_thread scheduled;

 private:
  void come_to(int step) {
    step_.store(step);
    step_.notify_all();
  }

  std::atomic<int> step_{0};
  std::thread thread_;
};

class kept_off : public ::testing::Test {
 protected:
  void SetUp() override {
    takt::platform::look_at_process_cpus();
    if (getpid() != gettid() || !affinity_of(0, all_) || all_.count() < 2)
      GTEST_SKIP() << "one CPU, or not the first thread";
  }
  void TearDown() override { set_affinity_of(0, all_); }

  cpu_set all_;
};

TEST_F(kept_off, for_a_moment) {
  pool_thread t;
  takt::platform::keep_off_this_cpu(t.scheduled);
  if (!t.scheduled.kept_off) GTEST_SKIP() << "no hints are given here";
  EXPECT_EQ(t.cpus().count(), all_.count() - 1);
  t.wake();
  EXPECT_EQ(t.cpus(), all_);
}

TEST_F(kept_off, and_bound_to_just_that) {
  pool_thread t;
  takt::platform::keep_off_this_cpu(t.scheduled);
  if (!t.scheduled.kept_off) GTEST_SKIP() << "no hints are given here";
  const cpu_set bound = t.scheduled.narrowed;
  ASSERT_TRUE(set_affinity_of(0, bound) && set_affinity_of(t.scheduled.tid, bound));
  t.wake();
  EXPECT_EQ(t.cpus(), bound);
}

// The binding comes between the waker's look and its setting, and is lost: the first thread's tells.
TEST_F(kept_off, and_bound_just_before) {
  pool_thread t;
  takt::platform::keep_off_this_cpu(t.scheduled);
  if (!t.scheduled.kept_off) GTEST_SKIP() << "no hints are given here";
  cpu_set bound = all_;
  for (unsigned cpu = 0; cpu < cpu_set::k_most; ++cpu) {
    if (t.scheduled.narrowed.has(cpu)) bound.remove(cpu);
  }
  ASSERT_TRUE(set_affinity_of(0, bound));
  t.wake();
  EXPECT_EQ(t.cpus(), bound);
}

}  // namespace
