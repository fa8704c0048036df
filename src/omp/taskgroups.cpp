// Taskgroups that can be cancelled, as scopes of src/stop. See README.md.
#include <takt/omp.hpp>

#include "omp/slice.hpp"
#include "stop/stop.hpp"

#include <new>
#include <utility>

namespace takt::core {

namespace {

// The innermost one of code outside of parallel calls, whose tasks run where they are made.
thread_local abi::stop_scope* outside = nullptr;

abi::stop_scope* group_here() noexcept {
  const fiber* const f = this_fiber();
  return f != nullptr ? taskgroup_around(*f) : outside;
}

}  // namespace

bool is_in_group_outside() noexcept { return this_fiber() == nullptr && outside != nullptr; }

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_omp_group_begin(void* scope) noexcept {
  auto& group = *::new (scope) takt::abi::stop_scope;
  group.reach = takt::abi::stop_reach::nothing;
  group.of_tasks = true;
  if (fiber* const f = this_fiber()) {
    begin_scope(*f, group);
  } else {
    group.before = std::exchange(outside, &group);
  }
}

void takt_omp_group_end() noexcept {
  if (fiber* const f = this_fiber()) {
    end_scope(*f);
  } else {
    outside = outside->before;
  }
}

std::uint32_t takt_omp_group_cancel(std::uint32_t is_on) noexcept {
  takt::abi::stop_scope* const group = group_here();
  if (is_on != 0 && group != nullptr) stop_by_itself(*group);
  return is_on;
}

std::uint32_t takt_omp_group_is_cancelled() noexcept {
  const takt::abi::stop_scope* const group = group_here();
  return group != nullptr && is_stopped_by_itself(*group) ? 1 : 0;
}
}
