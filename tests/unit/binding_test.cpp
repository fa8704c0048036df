// Threads that keep to the CPUs of their cache: within the process's, and never where somebody else has bound them.
#include "platform/threads/cpu_set.hpp"
#include "platform/threads/scheduling.hpp"

#include <gtest/gtest.h>

#include <dirent.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>

namespace {

using takt::platform::affinity_of;
using takt::platform::cpu_set;
using takt::platform::look_at_process_cpus;
using takt::platform::set_affinity_of;

// A thread as the platform starts it, which does what it is told.
class pool_thread {
 public:
  pool_thread()
      : thread_([this] {
          for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return task_ != nullptr; });
            if (*task_ == nullptr) return;
            (*task_)();
            task_ = nullptr;
            changed_.notify_all();
          }
        }) {
    run([this] { takt::platform::begin_as_process(scheduled_); });
  }
  ~pool_thread() {
    const std::function<void()> end;
    {
      const std::lock_guard lock(mutex_);
      task_ = &end;
    }
    changed_.notify_all();
    thread_.join();
  }
  void keep_to(const cpu_set* cpus) {
    run([&] { takt::platform::keep_to(scheduled_, cpus); });
  }
  void wake() {
    run([this] { takt::platform::follow_process(scheduled_); });
  }
  void let_go() {
    run([this] { takt::platform::let_go(scheduled_); });
  }
  pid_t tid() const { return scheduled_.tid; }
  cpu_set cpus() const {
    cpu_set now;
    affinity_of(tid(), now);
    return now;
  }

 private:
  void run(const std::function<void()>& task) {
    std::unique_lock lock(mutex_);
    task_ = &task;
    changed_.notify_all();
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }

  takt::platform::scheduled_thread scheduled_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
  std::thread thread_;
};

// As `taskset -a` does.
void bind_process(const cpu_set& cpus) {
  ASSERT_TRUE(set_affinity_of(0, cpus));
  DIR* const tasks = opendir("/proc/self/task");
  ASSERT_NE(tasks, nullptr);
  while (const dirent* const entry = readdir(tasks)) {
    if (const int tid = std::atoi(entry->d_name); tid > 0) set_affinity_of(tid, cpus);
  }
  closedir(tasks);
}

class binding : public ::testing::Test {
 protected:
  void SetUp() override {
    if (getpid() != gettid() || !affinity_of(0, all_) || all_.count() < 2)
      GTEST_SKIP() << "one CPU, or not the first thread";
    if (prctl(PR_GET_SECCOMP) != 0) GTEST_SKIP() << "nobody is bound under a filter of system calls";
    a_.add(all_.after(-1));
    b_ = all_;
    b_.remove(all_.after(-1));
    look_at_process_cpus();
  }
  void TearDown() override {
    if (all_.count() >= 2) bind_process(all_);
  }

  // The process's CPUs: one of them, and the others.
  cpu_set all_, a_, b_;
};

TEST_F(binding, goes_with_the_seat) {
  pool_thread t;
  t.keep_to(&b_);
  EXPECT_EQ(t.cpus(), b_);
  t.keep_to(&a_);
  EXPECT_EQ(t.cpus(), a_);
  // The process still has all.
  EXPECT_EQ(look_at_process_cpus(), all_.count());
  t.keep_to(nullptr);
  EXPECT_EQ(t.cpus(), all_);
}

TEST_F(binding, keeps_within_the_process) {
  bind_process(a_);
  look_at_process_cpus();
  pool_thread t;
  t.keep_to(&b_);
  EXPECT_EQ(t.cpus(), a_);
  t.keep_to(&all_);
  EXPECT_EQ(t.cpus(), a_);
}

TEST_F(binding, of_others_is_not_undone) {
  pool_thread t;
  ASSERT_TRUE(set_affinity_of(t.tid(), a_));
  t.keep_to(&b_);
  EXPECT_EQ(t.cpus(), a_);
  t.keep_to(nullptr);
  EXPECT_EQ(t.cpus(), a_);
}

TEST_F(binding, is_changed_by_others_and_stays_so) {
  pool_thread t;
  t.keep_to(&b_);
  ASSERT_EQ(t.cpus(), b_);
  ASSERT_TRUE(set_affinity_of(t.tid(), a_));
  t.keep_to(nullptr);
  EXPECT_EQ(t.cpus(), a_);
  t.keep_to(&b_);
  EXPECT_EQ(t.cpus(), a_);
}

TEST_F(binding, comes_back_when_the_process_has_its_cpus_again) {
  pool_thread t;
  t.keep_to(&b_);
  bind_process(a_);
  look_at_process_cpus();
  t.wake();
  EXPECT_EQ(t.cpus(), a_);
  bind_process(all_);
  look_at_process_cpus();
  t.wake();
  EXPECT_EQ(t.cpus(), b_);
}

// Somebody binds the process to just what the thread has.
TEST_F(binding, of_the_process_is_not_undone_where_it_is_the_same) {
  for (const bool looks : {false, true}) {
    SCOPED_TRACE(looks);
    {
      pool_thread t;
      t.keep_to(&b_);
      ASSERT_EQ(t.cpus(), b_);
      bind_process(b_);
      if (looks) look_at_process_cpus();
      t.keep_to(&a_);
      EXPECT_EQ(t.cpus(), b_);
      t.keep_to(nullptr);
      EXPECT_EQ(t.cpus(), b_);
    }
    bind_process(all_);
    look_at_process_cpus();
  }
}

// What the process has is known from its threads: a bound one is let off when the first one has not all any more, and
// what neither of them has (where there are three CPUs) is not lost.
TEST_F(binding, does_not_outlast_a_first_thread_with_all_cpus) {
  cpu_set one;
  one.add(b_.after(-1));
  pool_thread t;
  t.keep_to(&one);
  ASSERT_EQ(t.cpus(), one);
  ASSERT_TRUE(set_affinity_of(0, a_));
  t.keep_to(&a_);
  EXPECT_EQ(t.cpus(), all_);
  EXPECT_EQ(look_at_process_cpus(), all_.count());
}

// As above, and what the thread had before is not remembered from then: `sees`: somebody has looked at the process.
TEST_F(binding, of_the_process_is_not_undone_in_children_of_fork) {
  for (const bool sees : {false, true}) {
    SCOPED_TRACE(sees);
    {
      pool_thread t;
      t.keep_to(&b_);
      ASSERT_EQ(t.cpus(), b_);
      bind_process(b_);
      if (sees) look_at_process_cpus();
      t.let_go();
      EXPECT_EQ(t.cpus(), b_);
    }
    bind_process(all_);
    look_at_process_cpus();
  }
}

TEST_F(binding, of_the_process_is_not_undone_by_a_first_thread_that_is_bound_then) {
  for (const bool wakes : {false, true}) {
    SCOPED_TRACE(wakes);
    {
      pool_thread t;
      t.keep_to(&b_);
      ASSERT_EQ(t.cpus(), b_);
      bind_process(b_);
      look_at_process_cpus();
      if (wakes) t.wake();
      EXPECT_EQ(t.cpus(), b_);
      ASSERT_TRUE(set_affinity_of(0, a_));
      look_at_process_cpus();
      t.wake();
      EXPECT_EQ(t.cpus(), b_);
      t.keep_to(&a_);
      EXPECT_EQ(t.cpus(), b_);
    }
    bind_process(all_);
    look_at_process_cpus();
  }
}

// Another seat is no reason to look at all threads of the process where it binds nobody.
TEST_F(binding, looks_at_the_process_only_to_bind_or_let_off) {
  bind_process(a_);
  look_at_process_cpus();
  pool_thread t;
  ASSERT_EQ(t.cpus(), a_);
  ASSERT_TRUE(set_affinity_of(0, all_));
  t.keep_to(&b_);
  EXPECT_EQ(t.cpus(), a_);
  look_at_process_cpus();
  t.wake();
  EXPECT_EQ(t.cpus(), b_);
}

TEST_F(binding, can_be_told_before) {
  EXPECT_TRUE(takt::platform::can_keep_to());
  pool_thread t;
  ASSERT_TRUE(set_affinity_of(0, a_));
  EXPECT_FALSE(takt::platform::can_keep_to());
  bind_process(a_);
  EXPECT_TRUE(takt::platform::can_keep_to());
}

TEST_F(binding, is_not_for_children_of_fork) {
  pool_thread t;
  t.keep_to(&b_);
  t.let_go();
  EXPECT_EQ(t.cpus(), all_);
}

}  // namespace
