// Policies with levels of caches bind takt's threads to the CPUs of their seats, and nobody else.
#include <takt/takt.hpp>

#include "platform/threads/cpu_set.hpp"
#include "policy/cache_levels.hpp"
#include "support/faulty_platform.hpp"
#include "support/settings.hpp"
#include "worker/worker.hpp"

#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using takt::platform::affinity_of;
using takt::platform::cpu_set;

// Two seats, each with a cache of its own: one CPU has the first, the others the second.
class bound_workers : public testing::Test {
 protected:
  void SetUp() override {
    if (getpid() != gettid() || !affinity_of(0, all_) || all_.count() < 2)
      GTEST_SKIP() << "one CPU, or not the first thread";
    if (prctl(PR_GET_SECCOMP) != 0) GTEST_SKIP() << "nobody is bound under a filter of system calls";
    os_.share_a_cache = 1;
    os_.cpus_of_caches.resize(2);
    os_.cpus_of_caches[0].add(all_.after(-1));
    os_.cpus_of_caches[1] = all_;
    os_.cpus_of_caches[1].remove(all_.after(-1));
    before_ = takt::platform::replace(&os_);
  }
  void TearDown() override {
    if (before_ == nullptr && os_.share_a_cache == 0) return;
    takt::configure(takt_test::by_default(1));
    takt::platform::replace(before_);
    takt::configure(takt_test::by_default(1));
  }

  struct place {
    int seat = -1;
    bool is_caller = false;
    cpu_set cpus;
  };
  // Of two workers that run at the same time.
  static std::vector<place> two_places() {
    const pid_t caller = gettid();
    std::vector<place> places(2);
    std::atomic<int> here{0};
    const auto meet = [&](std::size_t i) {
      affinity_of(0, places[i].cpus);
      places[i].seat = takt::core::this_worker()->seat.number();
      places[i].is_caller = gettid() == caller;
      here.fetch_add(1);
      while (here.load() < 2) std::this_thread::yield();
    };
    takt::fork_join([&] { meet(0); }, [&] { meet(1); });
    return places;
  }

  // Of the caches of all and those of each seat.
  unsigned levels() { return takt::core::cache_levels(os_, {}, 2, 2, true).count(); }

  takt_test::faulty_platform os_;
  takt::platform::platform* before_ = nullptr;
  cpu_set all_;
};

TEST_F(bound_workers, run_where_their_seats_are) {
  for (const auto policy : {takt::policy::ml_adws, takt::lab::ml_random, takt::lab::sb}) {
    takt::configure(takt_test::with(policy, takt_test::eager(2)));
    for (int round = 0; round < 20; ++round) {
      int callers = 0;
      for (const place& p : two_places()) {
        callers += p.is_caller ? 1 : 0;
        EXPECT_EQ(p.cpus, p.is_caller ? all_ : os_.cpus_of_caches.at(static_cast<std::size_t>(p.seat)));
      }
      ASSERT_EQ(callers, 1);
    }
  }
}

TEST_F(bound_workers, only_where_that_is_needed) {
  takt::config unbound = takt_test::with(takt::policy::ml_adws, takt_test::eager(2));
  unbound.bind = false;
  for (const takt::config& c : {unbound, takt_test::with(takt::policy::adws, takt_test::eager(2)),
                                takt_test::with(takt::policy::random, takt_test::eager(2))}) {
    takt::configure(c);
    for (const place& p : two_places()) EXPECT_EQ(p.cpus, all_);
  }
  // A cache that all share binds nobody.
  os_.cpus_of_caches.clear();
  takt::configure(takt_test::with(takt::policy::ml_adws, takt_test::eager(2)));
  for (const place& p : two_places()) EXPECT_EQ(p.cpus, all_);
}

// A level that is true only of bound workers is not used where nobody would be bound.
TEST_F(bound_workers, are_none_beside_a_first_thread_that_is_bound_alone) {
  EXPECT_EQ(levels(), 2u);
  std::atomic<bool> ends{false};
  std::thread other([&] { ends.wait(false); });
  EXPECT_TRUE(takt::platform::set_affinity_of(0, os_.cpus_of_caches[0]));
  EXPECT_EQ(levels(), 1u);
  EXPECT_TRUE(takt::platform::set_affinity_of(0, all_));
  EXPECT_EQ(levels(), 2u);
  ends.store(true);
  ends.notify_all();
  other.join();
}

TEST_F(bound_workers, are_none_under_a_filter_of_system_calls) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (levels() != 2) _exit(1);
    sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog filter{1, &allow};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(2);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(3);
    _exit(levels() == 1 ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2 || WEXITSTATUS(status) == 3) GTEST_SKIP() << "no filter can be had";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
