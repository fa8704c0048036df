// How the kernel schedules the threads that the platform has started: on the process's CPUs and in the process's class,
// whoever has started them, and for a moment not on the CPU of the thread that wakes them.
#pragma once

#include "platform/threads/cpu_set.hpp"

namespace takt::platform {

/// What is known of one such thread. Its own to use, except by keep_off_this_cpu().
struct scheduled_thread {
  pid_t process = 0;
  pid_t tid = 0;
  cpu_set given;          ///< the CPUs that it has from us: who has changed them since is not overruled
  unsigned version = 0;   ///< of the process's CPUs that it has looked at
  bool kept_off = false;  ///< `narrowed` was set for a moment, in place of `before`
  cpu_set narrowed;
  cpu_set before;
  const cpu_set* keeps_to = nullptr;  ///< those of its worker's cache; null: it has all of the process's
  bool bound = false;                 ///< `given` is because of that
  cpu_set first;                      ///< the first thread's, before `before` was looked at; empty: the thread is new
};

/// Looks at the process's CPUs; threads follow at their next start or wake-up. @returns how many, at least 1.
unsigned look_at_process_cpus() noexcept;

/// For the attributes of a thread that the calling one is about to start: the process's CPUs without this one. @returns
/// false when there is no such hint.
bool cpus_to_start_on(scheduled_thread& t) noexcept;
/// The kernel has refused them, and is not asked again.
void drop_hints() noexcept;

/// By the thread itself, first of all.
void begin_as_process(scheduled_thread& t) noexcept;
/// By the thread itself, whenever it wakes up.
void follow_process(scheduled_thread& t) noexcept;
/// By the thread itself: from now on it runs on `cpus`, where they are the process's; null: on all of those.
void keep_to(scheduled_thread& t, const cpu_set* cpus) noexcept;
/// Whether keep_to() binds threads of this process, as of now.
bool can_keep_to() noexcept;
/// By the thread itself, which is the only one of a child of fork(2): what starts there is not to be bound.
void let_go(scheduled_thread& t) noexcept;
/// By who is about to wake `t` from a long sleep.
void keep_off_this_cpu(scheduled_thread& t) noexcept;

}  // namespace takt::platform
