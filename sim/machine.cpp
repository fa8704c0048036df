#include "sim/machine.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

namespace takt::sim {

namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// A virtual thread runs the scheduler's loop, or a program's main: tasks have stacks of their own.
constexpr std::size_t k_stack_bytes = std::size_t{1} << 18;

// What the Itanium C++ ABI prescribes for __cxa_eh_globals.
struct eh_globals {
  void* caught;
  unsigned in_flight;
};

}  // namespace

stack_store::~stack_store() {
  for (const platform::stack_memory& m : free_) munmap(m.base, m.bytes);
}

bool stack_store::take(std::size_t call_bytes, std::size_t latent_bytes, platform::stack_memory& out) {
  // On ARM64 a page may have 64 KiB.
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto round_up = [](std::size_t n) { return (n + page - 1) / page * page; };
  call_bytes = round_up(call_bytes);
  latent_bytes = round_up(latent_bytes);
  const std::size_t total = call_bytes + latent_bytes + 2 * page;
  for (std::size_t i = free_.size(); i-- > 0;) {
    if (free_[i].bytes != total || free_[i].middle - free_[i].call_low != static_cast<std::ptrdiff_t>(call_bytes))
      continue;
    out = free_[i];
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  void* base = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return false;
  auto* low = static_cast<std::byte*>(base) + page;
  if (mprotect(low, call_bytes + latent_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(base, total);
    return false;
  }
  out = {base, total, low, low + call_bytes, low + call_bytes + latent_bytes};
  return true;
}

void machine::keep(void* address, std::size_t bytes) {
  std::size_t used = 0;
  for (const auto& v : variables_) {
    if (v.address == address) return;
    used += v.bytes;
  }
  if (used + bytes > thread_locals::k_most_bytes) throw std::bad_alloc();
  variables_.push_back({address, bytes});
}

void machine::save(thread_locals& into) const {
  into.hot = hot_;
  const auto* g = static_cast<const eh_globals*>(exceptions_);
  into.caught_exceptions = g->caught;
  into.exceptions_in_flight = g->in_flight;
  std::byte* to = into.others;
  for (const variable& v : variables_) {
    std::memcpy(to, v.address, v.bytes);
    to += v.bytes;
  }
}

void machine::load(const thread_locals& from) const {
  hot_ = from.hot;
  auto* g = static_cast<eh_globals*>(exceptions_);
  g->caught = from.caught_exceptions;
  g->in_flight = from.exceptions_in_flight;
  const std::byte* source = from.others;
  for (const variable& v : variables_) {
    std::memcpy(v.address, source, v.bytes);
    source += v.bytes;
  }
}

virtual_thread* machine::create(void (*fn)(void*), void* argument) {
  auto t = std::make_unique<virtual_thread>();
  if (!stacks_.take(k_stack_bytes, 0, t->stack)) return nullptr;
  t->number = static_cast<unsigned>(threads_.size());
  t->fn = fn;
  t->argument = argument;
  t->context = make_fcontext(t->stack.middle, k_stack_bytes, &thread_main);
  threads_.push_back(std::move(t));
  return threads_.back().get();
}

virtual_thread& machine::adopt() {
  auto t = std::make_unique<virtual_thread>();
  t->number = static_cast<unsigned>(threads_.size());
  threads_.push_back(std::move(t));
  current_ = threads_.back().get();
  return *current_;
}

void machine::thread_main(transfer_t from) {
  auto* self = static_cast<machine*>(from.data);
  self->arrived(from);
  virtual_thread* t = self->current_;
  t->fn(t->argument);
  t->is = virtual_thread::state::ended;
  self->at_end_(*self);
}

void machine::arrived(transfer_t from) {
  if (left_ != nullptr) {
    left_->context = from.fctx;
  } else {
    outside_ = from.fctx;
  }
}

void machine::jump(virtual_thread* next) {
  save(current_ != nullptr ? current_->locals : outside_locals_);
  load(next != nullptr ? next->locals : outside_locals_);
  left_ = current_;
  current_ = next;
  arrived(jump_fcontext(next != nullptr ? next->context : outside_, this));
}

void machine::enter(virtual_thread& first) { jump(&first); }

void machine::switch_to(virtual_thread& next) {
  if (&next != current_) jump(&next);
}

void machine::leave() { jump(nullptr); }

void machine::clear() {
  for (const auto& t : threads_) {
    if (t->stack.base != nullptr) stacks_.give(t->stack);
  }
  threads_.clear();
}

}  // namespace takt::sim
