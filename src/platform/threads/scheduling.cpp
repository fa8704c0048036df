// See README.md, "Threads" and "Where a woken thread runs".
#include "platform/threads/scheduling.hpp"

#include "platform/threads/cpu_count.hpp"
#include "sync/atomic.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

namespace takt::platform {

namespace {

// CPUs that may be read while they are written.
class noted_cpus {
 public:
  void set(const cpu_set& cpus) noexcept {
    for (std::size_t i = 0; i < cpu_set::k_words; ++i) words_[i].store(cpus.words()[i], sync::relaxed);
  }
  cpu_set get() const noexcept {
    cpu_set cpus;
    for (std::size_t i = 0; i < cpu_set::k_words; ++i) cpus.words()[i] = words_[i].load(sync::relaxed);
    return cpus;
  }
  // Without a copy: these sets are large for the stacks of small threads.
  bool are(const cpu_set& cpus) const noexcept {
    for (std::size_t i = 0; i < cpu_set::k_words; ++i) {
      if (words_[i].load(sync::relaxed) != cpus.words()[i]) return false;
    }
    return true;
  }

 private:
  sync::atomic<unsigned long> words_[cpu_set::k_words]{};
};

// The process's CPUs as last seen. Who reads while they are written may get some of each; then the version changes
// afterwards, and it reads again.
struct {
  sync::atomic<unsigned> version{0};
  noted_cpus all;
  // Those when the first thread was last seen to have all of them: the others' may be less than the process's while
  // takt's threads are bound. What these are let go to.
  noted_cpus with_first;
} process_cpus;

unsigned read_process_cpus(cpu_set& out) noexcept {
  // EDGE cpus.version: what is read is not older than the version.
  const unsigned version = process_cpus.version.load(sync::acquire);
  out = process_cpus.all.get();
  return version;
}

// `first`: what the first thread has now.
bool first_has_all(const cpu_set& first) noexcept {
  // EDGE cpus.version
  return process_cpus.version.load(sync::acquire) != 0 && process_cpus.all.are(first) &&
         process_cpus.with_first.are(first);
}

// A hint is worth a system call that may fail, and no system call that may kill: under a filter none is given.
enum class hints : int { unknown, given, dropped };
sync::atomic<hints> hints_now{hints::unknown};
// The kernel has said once that threads are not to be moved.
sync::atomic<bool> moves_refused{false};

// The calling thread's filters of system calls: how many, before Linux 5.9 of what kind; 0: none. -1: nobody tells.
int filters() noexcept {
  const int fd = ::open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  char bytes[4096];
  const ssize_t n = ::read(fd, bytes, sizeof bytes);
  ::close(fd);
  const std::string_view text(bytes, n > 0 ? static_cast<std::size_t>(n) : 0);
  for (const std::string_view name : {"\nSeccomp_filters:\t", "\nSeccomp:\t"}) {
    const std::size_t at = text.find(name);
    int value = 0;
    if (at != text.npos && std::from_chars(&text[at] + name.size(), text.data() + text.size(), value).ec == std::errc())
      return value;
  }
  return -1;
}

// When takt was loaded.
const int first_filters = filters();

// Whether this thread may set its own CPUs, class and niceness where they are not the process's. Under the filters that
// were there from the start somebody has set what is different, and was not killed. One that has come since may kill
// who sets anything: what is different stays so.
bool may_set() noexcept { return filters() == first_filters; }

bool may_hint() noexcept {
  if (hints_now.load(sync::relaxed) != hints::given) return false;
  // The calling thread may have got a filter since.
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0) return true;
  drop_hints();
  return false;
}

bool move(pid_t tid, const cpu_set& to) noexcept {
  if (moves_refused.load(sync::relaxed)) return false;
  if (set_affinity_of(tid, to)) return true;
  // EINVAL: the CPUs have changed since they were looked at.
  if (errno != EINVAL && errno != ESRCH) moves_refused.store(true, sync::relaxed);
  return false;
}

// Takes the calling thread's CPU out of `cpus`. @returns false when that would leave none, or changes nothing.
bool leave_out_this_cpu(cpu_set& cpus) noexcept {
  const int here = sched_getcpu();
  if (here < 0 || !cpus.has(static_cast<unsigned>(here)) || cpus.count() < 2) return false;
  cpus.remove(static_cast<unsigned>(here));
  return true;
}

// The process's own class and niceness are those of its first thread. A thread inherits its creator's, which may be a
// real-time one, or one that is to stay in the background.
void take_class_of_process() noexcept {
  const pid_t first = getpid();
  const int mine = sched_getscheduler(0);
  const int wanted = sched_getscheduler(first);
  sched_param my_parameters{};
  sched_param parameters{};
  if (mine >= 0 && wanted >= 0 && sched_getparam(0, &my_parameters) == 0 && sched_getparam(first, &parameters) == 0) {
    const int policy = wanted & ~SCHED_RESET_ON_FORK;
    if ((mine & ~SCHED_RESET_ON_FORK) != policy || my_parameters.sched_priority != parameters.sched_priority) {
      if (may_set()) sched_setscheduler(0, policy, &parameters);
    }
  }
  // -1 is an answer, too.
  errno = 0;
  const int my_niceness = getpriority(PRIO_PROCESS, 0);
  const int niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(first));
  if (errno == 0 && niceness != my_niceness && may_set()) setpriority(PRIO_PROCESS, 0, niceness);
}

}  // namespace

unsigned look_at_process_cpus() noexcept {
  if (hints_now.load(sync::relaxed) == hints::unknown)
    hints_now.store(filters() == 0 ? hints::given : hints::dropped, sync::relaxed);
  const cpu_set now = cpus_of_process();
  const unsigned count = now.count();
  if (count == 0) return affinity_cpus();
  cpu_set first;
  const bool with_first = affinity_of(getpid(), first) && first == now;
  // EDGE cpus.version
  if (process_cpus.version.load(sync::acquire) != 0 && process_cpus.all.are(now) &&
      (!with_first || process_cpus.with_first.are(now)))
    return count;
  process_cpus.all.set(now);
  if (with_first) process_cpus.with_first.set(now);
  // EDGE cpus.version
  process_cpus.version.fetch_add(1, sync::release);
  return count;
}

bool can_keep_to() noexcept {
  look_at_process_cpus();
  cpu_set first;
  return !moves_refused.load(sync::relaxed) && may_hint() && affinity_of(getpid(), first) && first_has_all(first);
}

void drop_hints() noexcept { hints_now.store(hints::dropped, sync::relaxed); }

bool cpus_to_start_on(scheduled_thread& t) noexcept {
  if (!may_hint()) return false;
  t.version = read_process_cpus(t.before);
  t.given = t.narrowed = t.before;
  return t.version != 0 && leave_out_this_cpu(t.narrowed);
}

void begin_as_process(scheduled_thread& t) noexcept {
  t.process = getpid();
  t.tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (!t.kept_off) {
    affinity_of(0, t.given);
    t.version = 0;
  }
  follow_process(t);
  take_class_of_process();
}

namespace {

// The calling thread has looked at its CPUs, later than at those of the first thread, `first`, and has now set them to
// `mine`. The kernel has no exchange: who binds the process (taskset -a) in between would be overruled, and the process
// never again be seen as bound. Threads are bound in the order of their numbers, the first thread before this one. So
// if that one is as it was even now, this one will be bound after our setting, if at all; if it is not, this one goes
// where that one is. @returns where this one is now.
cpu_set unless_bound_meanwhile(const scheduled_thread& t, const cpu_set& first, const cpu_set& mine) noexcept {
  cpu_set first_now;
  if (!affinity_of(t.process, first_now) || first_now == first) return mine;
  return set_affinity_of(0, first_now) ? first_now : mine;
}

// A bound thread's CPUs are not those of the process any more, which are found by looking at its threads: only where
// the first thread has all of them is one bound. @returns false where this one is not to be.
bool cpus_to_keep_to(const scheduled_thread& t, const cpu_set& first, cpu_set& out) noexcept {
  if (t.keeps_to == nullptr || !first_has_all(first) || !may_hint()) return false;
  out = *t.keeps_to;
  out.keep(first);
  return out.count() != 0;
}

// The thread goes where it is to be by that version of the process's CPUs.
void settle(scheduled_thread& t, unsigned version) noexcept {
  const bool has_followed = t.version == version;
  t.version = version;
  cpu_set first;
  cpu_set now;
  if (!affinity_of(t.process, first) || !affinity_of(0, now)) return;
  const bool is_ours = now == t.given;
  cpu_set wanted;
  const bool binds = (is_ours || now == first) && cpus_to_keep_to(t, first, wanted);
  // Where nobody is bound another seat changes nothing: not worth a look at all threads of the process.
  if (!binds && (!is_ours || (has_followed && !t.bound))) {
    t.bound = false;
    return;
  }
  if (!binds) {
    // Looked at anew: those of the version may be older than what this thread has. Where the first thread has fewer, it
    // is that one which has been bound, not the process; what is in no thread's set now is not to be lost by that.
    wanted = cpus_of_process();
    if (t.bound && wanted != first) wanted = process_cpus.with_first.get();
  }
  t.given = now;
  if (now != wanted && may_set() && move(0, wanted)) t.given = unless_bound_meanwhile(t, first, wanted);
  t.bound = binds && t.given == wanted;
}

}  // namespace

void follow_process(scheduled_thread& t) noexcept {
  if (t.kept_off) {
    t.kept_off = false;
    cpu_set now;
    // Hints are given where there is no filter. One that has come in this moment may kill.
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0 && affinity_of(0, now) && now == t.narrowed &&
        set_affinity_of(0, t.before) && t.first.count() != 0) {
      now = unless_bound_meanwhile(t, t.first, t.before);
      if (now != t.before) t.given = now;
    }
  }
  const unsigned version = process_cpus.version.load(sync::relaxed);
  if (t.version != version) settle(t, version);
}

void keep_to(scheduled_thread& t, const cpu_set* cpus) noexcept {
  if (t.keeps_to == cpus) return;
  t.keeps_to = cpus;
  settle(t, process_cpus.version.load(sync::relaxed));
}

void let_go(scheduled_thread& t) noexcept {
  cpu_set first;
  cpu_set now;
  if (!t.bound || !affinity_of(0, now) || now != t.given) return;
  // The parent's first thread: where it has other CPUs than we know of, the process may have been bound to just these.
  if (affinity_of(t.process, first) && first_has_all(first) && may_set()) move(0, first);
}

void keep_off_this_cpu(scheduled_thread& t) noexcept {
  // In a child of fork(2) that nobody has told us of, the thread would be another process's.
  if (moves_refused.load(sync::relaxed) || !may_hint() || t.process != getpid()) return;
  if (!affinity_of(t.process, t.first) || !affinity_of(t.tid, t.before)) return;
  t.narrowed = t.before;
  t.kept_off = leave_out_this_cpu(t.narrowed) && move(t.tid, t.narrowed);
}

}  // namespace takt::platform
