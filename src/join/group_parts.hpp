// What adding children to a group, running them, and threads in no call share. See README.md beside this file.
#pragma once

#include <takt/detail/fork.hpp>

#include "join/group_state.hpp"
#include "promotion/lent.hpp"

#include <utility>

namespace takt::core {

inline void relax_here(unsigned round) noexcept { takt::platform::current().relax(round); }

/// Runs what throws nothing as a call, by a function for each kind of it, which tools tell them by. Not by that of the
/// headers: the linker would keep one for library and program, with the program's flags (a sanitizer of calls).
template <class Body>
void run_body(void* body) {
  (*static_cast<Body*>(body))();
}
template <class Body>
bool enter_with(Body& body) {
  return takt_enter(&run_body<Body>, &body);
}

/// Has the group's lock.
class guarded {
 public:
  explicit guarded(group_state& g) noexcept : lock_(g.lock) { lock_.lock(&relax_here); }
  ~guarded() { lock_.unlock(); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

 private:
  spin_lock& lock_;
};

// --- The group's own lists, with the lock held

/// Behind the others.
void append(group_state& g, group_child* from, group_child* to, std::size_t many) noexcept;
/// Children have left.
inline void count_out(group_state& g) noexcept {
  if (g.is_lent && g.shared.empty()) lent_children::with_some.fetch_sub(1, sync::relaxed);
}
/// What the maker has added lies with the others from here on.
void collect(group_state& g) noexcept;
/// All of them to a list of one's own, if there are any.
void take_shared(group_state& g, child_list& to) noexcept;

// --- A part's list

/// For who runs its children: there are some.
inline bool has_latent(group_part& part) noexcept {
  return !part.list.empty() || (&part == &part.all() && part.all().anything_shared());
}

inline group_child* take_one(child_list& from, group_order order) noexcept {
  if (from.empty()) return nullptr;
  return order == group_order::oldest_first ? from.pop_oldest(1) : from.pop_newest();
}

/// Where `f` keeps children that it adds to `g`: it is the group's home, or helps. Else null.
inline group_part* kept_by(group_state& g, const fiber& f) noexcept {
  if (g.home.load(sync::relaxed) == &f) return &g;
  helper* h = f.join.helps;
  while (h != nullptr && h->whole != &g) h = h->outer;
  return static_cast<group_part*>(h);
}

[[gnu::always_inline]] inline std::uintptr_t stack_here() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// On the stack of a fiber that is not at the group's home.
class own_part final : public group_part {
 public:
  own_part(group_state& g, fiber& here) noexcept : here_(here) {
    whole = &g;
    outer = std::exchange(here.join.helps, this);
    run_by.store(&here, sync::relaxed);
  }
  ~own_part() { here_.join.helps = outer; }
  own_part(const own_part&) = delete;
  own_part& operator=(const own_part&) = delete;

 private:
  fiber& here_;
};

// --- Running (group_running.cpp)

/// For open_join::run: the task of a group's child, or of a half of its children.
void run_child_here(open_join& join, abi::slot* task);

/// Runs what is latent in `part`, and what nobody else has.
void run_all_here(group_part& part, fiber& here);
/// A child that finds no room in `kept`, on top of the code that adds it.
void run_at_once(group_part& kept, fiber& here, group_child& child);
/// For who waits for the group in a call.
void wait_inside(group_state& g, fiber& here);

// --- Of threads in no call (group_outside.cpp)

/// Idle workers find the group from here on.
void begin_lending(group_state& g) noexcept;
/// There is a group that has some again.
void wake_for_lent() noexcept;
/// Its thread is about to wait for it.
void take_back_lent(group_state& g) noexcept;
/// For who waits for the group outside any parallel call.
void wait_outside(group_state& g);

}  // namespace takt::core
