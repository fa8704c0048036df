// Joins: take the task back, or leave the stack until it is done.
#include "worker/runtime.hpp"

namespace takt::core {

void wait_for(join_word& join) noexcept {
  worker* w = this_worker();
  fiber* f = w->current;
  f->head = takt_hot.head;
  f->split = takt_hot.split;
  end_free_loops(*w);
  join.set_waiter(f);
  w->suspended_on = &join;
  switch_to_native(*f);
}

void run_in_place(abi::slot* task, std::uint32_t scope) noexcept {
  join_word* const own = own_join(task);
  join_word& join = *own->target();
  const bool is_child = own->is_child();
  {
    const user_scope user;
    is_child ? run_child(task) : task->run(task);
  }
  // Usually the waiter would be this fiber, which is not waiting; but a group may be waited for by another meanwhile.
  // This fiber cannot leave for it.
  if (is_child) this_worker()->owner.scopes.release(scope);
  // EDGE join.waiter
  if (join.finish()) this_worker()->owner.hand_over(*join.waiter());
}

// Takes `expected` back from the worker's own deque. Above it there may be children of groups that this very
// computation spawned meanwhile: they are run here. Anything else belongs to another fiber, and stays.
static bool take_back(abi::slot* expected) noexcept {
  for (;;) {
    worker* w = this_worker();
    const std::uint64_t e = w->deque.pop();
    if (e == task_deque::k_none) return false;
    abi::slot* task = entry::task(e);
    if (task == expected) return true;
    if (!is_child_of_this_fiber(task)) {
      w->deque.push(e);
      return false;
    }
    run_in_place(task, entry::scope(e));
  }
}

}  // namespace takt::core

namespace {

using namespace takt::core;

[[gnu::noinline]] void set_latent_stack(takt::abi::slot* head, takt::abi::slot* split) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.head = head;
  takt_hot.split = split;
}

// The marker that run() leaves for takt_threw: the field is not needed any more once the task has started.
void threw_mark(takt::abi::slot*) {}

}  // namespace

extern "C" {

bool takt_join(takt::abi::slot* s) {
  const runtime_scope scope;
  if (own_join(s)->is_unknown()) {
    // Passed over.
    set_latent_stack(s, s);
    return true;
  }
  // The slot is the task's record: children that run here before the task is taken back must not push over it.
  set_latent_stack(s + 1, s + 1);
  const bool mine = take_back(s);
  // Now it is popped: whatever runs on top of this stack from here on pushes at `s` and is latent again.
  set_latent_stack(s, s);
  if (mine) return true;
  join_word& join = *own_join(s);
  if (!join.children_done()) wait_for(join);
  return false;
}

bool takt_threw(const takt::abi::slot* s) noexcept { return s->run == &threw_mark; }
void takt_set_threw(takt::abi::slot* s) noexcept { s->run = &threw_mark; }

void takt_loop_join(takt::abi::loop_frame* frame, takt::abi::slot* popped) {
  const runtime_scope scope;
  // The halves are in the frame: nothing needs the slot any more.
  set_latent_stack(popped, popped);
  if (frame->halves != 0) {
    join_word& join = *std::launder(reinterpret_cast<join_word*>(frame->join));
    for (std::uint32_t h = 0; h < frame->halves; ++h) {
      // Once one is gone, so are all older ones.
      if (!take_back(&frame->half[h])) break;
      run_in_place(&frame->half[h], this_worker()->current->scope);
    }
    if (!join.children_done()) wait_for(join);
  }
}
}
