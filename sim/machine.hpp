// Virtual threads: many threads of control on one operating-system thread, which alone decides who runs. See README.md
// beside this file.
#pragma once

#include <takt/abi.hpp>

#include "platform/platform.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace takt::sim {

class machine;

/// What each thread has for itself and the compiler thinks there is one of: swapped whenever the thread changes.
struct thread_locals {
  static constexpr std::size_t k_most_bytes = 192;

  abi::hot_state hot{};
  void* caught_exceptions = nullptr;
  unsigned exceptions_in_flight = 0;
  std::byte others[k_most_bytes] = {};  ///< those named by keep()
};

struct virtual_thread {
  enum class state { runnable, waiting, ended };

  unsigned number = 0;
  state is = state::runnable;
  const void* waits_for = nullptr;
  void (*fn)(void*) = nullptr;
  void* argument = nullptr;
  boost::context::detail::fcontext_t context = nullptr;
  platform::stack_memory stack;
  thread_locals locals;
};

/// Memory of stacks, used again without giving it back in between. Not thread-safe: there is one thread.
class stack_store {
 public:
  ~stack_store();
  bool take(std::size_t call_bytes, std::size_t latent_bytes, platform::stack_memory& out);
  void give(const platform::stack_memory& memory) { free_.push_back(memory); }

 private:
  std::vector<platform::stack_memory> free_;
};

/// Runs virtual threads. Who comes next is decided elsewhere: by a policy that calls switch_to().
class machine {
 public:
  /// `hot`: takt_hot of the calling thread; `exceptions`: what __cxa_get_globals() returns on it, where the program
  /// asks.
  machine(abi::hot_state& hot, void* exceptions) : hot_(hot), exceptions_(exceptions) {}
  /// Nothing of it runs any more: the stacks of its threads go with it.
  ~machine() { clear(); }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  /// Each virtual thread has a copy of the `bytes` at `address`, all zero at first.
  void keep(void* address, std::size_t bytes);

  /// A new thread, which runs when somebody switches to it, and at its end calls `at_end(*this)`, which must switch
  /// away.
  /// @returns null without memory for a stack.
  virtual_thread* create(void (*fn)(void*), void* argument);
  void set_at_end(void (*at_end)(machine&)) { at_end_ = at_end; }

  /// The calling thread of the operating system becomes a virtual one, with the stack that it has.
  virtual_thread& adopt();

  /// From outside: runs `first` and whoever is switched to from there. Returns after leave().
  void enter(virtual_thread& first);
  /// From a virtual thread: lets another one run; returns when somebody switches back.
  void switch_to(virtual_thread& next);
  /// From a virtual thread, back to enter().
  void leave();

  /// The thread that runs, or null outside.
  virtual_thread* current() const { return current_; }
  const std::vector<std::unique_ptr<virtual_thread>>& threads() const { return threads_; }
  /// Forgets all threads; outside only. What is on their stacks is not unwound.
  void clear();

 private:
  static void thread_main(boost::context::detail::transfer_t from);
  void arrived(boost::context::detail::transfer_t from);
  void jump(virtual_thread* next);

  std::vector<std::unique_ptr<virtual_thread>> threads_;
  virtual_thread* current_ = nullptr;
  virtual_thread* left_ = nullptr;  ///< who jumped last; null: the thread outside
  boost::context::detail::fcontext_t outside_ = nullptr;
  thread_locals outside_locals_;
  abi::hot_state& hot_;
  void* exceptions_;
  struct variable {
    void* address;
    std::size_t bytes;
  };
  std::vector<variable> variables_;
  void (*at_end_)(machine&) = nullptr;
  stack_store stacks_;

  void save(thread_locals& into) const;
  void load(const thread_locals& from) const;
};

}  // namespace takt::sim
