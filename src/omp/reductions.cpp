// Reductions over OpenMP tasks: what code made by the compiler plugin calls. See README.md, "Reductions over tasks".
#include "omp/slice.hpp"

#include <takt/kmp.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace takt::core {

namespace {

using kmp::reduced_variable;

/// Where the group is a reduction(task, ...), the variable is what a thread has of the program's, which functions name.
bool is_program_s(const reduced_variable& variable, const void* address) {
  return address == variable.address || address == variable.original;
}

// Two copies share no cache line, and a copy is aligned as the OpenMP runtime aligns it.
constexpr std::size_t k_copy_align = 64;

[[noreturn]] void give_up(const char* why) {
  std::fputs(why, stderr);
  std::abort();
}

class copies_of_variable;

/// In one piece with its variables. The first task that takes a copy makes it.
struct task_reductions {
  const void* thread;  // on which that was: its takt_hot
  std::mutex lock;     // of all that is behind it, but for the inside of copies and those at hand
  std::uint32_t count;

  inline copies_of_variable* variables();
};

/// In front of each copy.
struct alignas(k_copy_align) copy_header {
  copies_of_variable* of;
  copy_header* next;  // of those that no task has
};

/// The copies of one variable. They are in blocks of 1, 2, 4, ..., so that few comparisons tell whether an address is
/// in one of them, however many there are.
class copies_of_variable {
 public:
  /// `room`: for the first block, of one copy.
  copies_of_variable(task_reductions& all, const reduced_variable& variable, std::byte* room)
      : all_(all), variable_(variable) {
    blocks_[0] = room;
  }

  task_reductions& all() const { return all_; }
  std::uint64_t bytes() const { return variable_.bytes; }
  bool is_program_s(const void* address) const { return takt::core::is_program_s(variable_, address); }
  /// Without the lock, on the thread that made the list: the copy that is at hand, or null.
  copy_header* take_at_hand();
  /// The same. @returns whether the copy is at hand now.
  bool put_at_hand(copy_header& copy);
  /// The rest is under the lock.
  bool is_of(const void* address) const;
  /// @returns one that no task has; `is_new`: it is to be initialised.
  copy_header* take(bool& is_new);
  void give_back(copy_header& copy);
  void initialise(copy_header& copy) const;
  /// All into the program's variable; then there are none.
  void combine();

  static std::size_t stride_of(const reduced_variable& variable) {
    return sizeof(copy_header) + (variable.bytes + k_copy_align - 1) / k_copy_align * k_copy_align;
  }
  static std::size_t bytes_of_block(const reduced_variable& variable, std::size_t block) {
    return (std::size_t{1} << block) * stride_of(variable) + k_copy_align;
  }

 private:
  std::size_t stride() const { return stride_of(variable_); }
  std::byte* first_of(std::size_t block) const {
    // Aligned here: glibc gives what has been freed to the next malloc of that size at once, and not to aligned_alloc.
    const auto begin = reinterpret_cast<std::uintptr_t>(blocks_[block]);
    return blocks_[block] + (k_copy_align - begin % k_copy_align) % k_copy_align;
  }
  copy_header* at(std::size_t block, std::size_t index) const {
    return reinterpret_cast<copy_header*>(first_of(block) + index * stride());
  }

  task_reductions& all_;
  const reduced_variable variable_;
  std::array<std::byte*, 48> blocks_;  // the first one, and those that there are
  std::size_t block_count_ = 0;
  std::size_t made_ = 0;  // copies in the last block
  copy_header* free_ = nullptr;
  copy_header* at_hand_ = nullptr;  // one more that no task has; only that thread looks at it
};

copies_of_variable* task_reductions::variables() {
  static_assert(sizeof(task_reductions) % alignof(copies_of_variable) == 0);
  return reinterpret_cast<copies_of_variable*>(this + 1);
}

copy_header* copies_of_variable::take_at_hand() { return std::exchange(at_hand_, nullptr); }

bool copies_of_variable::put_at_hand(copy_header& copy) {
  if (at_hand_ != nullptr) return false;
  at_hand_ = &copy;
  return true;
}

bool copies_of_variable::is_of(const void* address) const {
  if (is_program_s(address)) return true;
  const auto* const byte = static_cast<const std::byte*>(address);
  for (std::size_t block = 0; block < block_count_; ++block) {
    const std::byte* const begin = first_of(block);
    if (byte >= begin && byte < begin + (std::size_t{1} << block) * stride()) return true;
  }
  return false;
}

copy_header* copies_of_variable::take(bool& is_new) {
  is_new = free_ == nullptr;
  if (!is_new) {
    copy_header* const copy = free_;
    free_ = copy->next;
    return copy;
  }
  if (block_count_ == 0 || made_ == std::size_t{1} << (block_count_ - 1)) {
    if (block_count_ != 0) {
      blocks_[block_count_] = static_cast<std::byte*>(takt_omp_task_room(bytes_of_block(variable_, block_count_)));
    }
    ++block_count_;
    made_ = 0;
  }
  return new (at(block_count_ - 1, made_++)) copy_header{this, nullptr};
}

void copies_of_variable::give_back(copy_header& copy) {
  copy.next = free_;
  free_ = &copy;
}

void copies_of_variable::initialise(copy_header& copy) const {
  if (variable_.initialise != nullptr) {
    variable_.initialise(&copy + 1, variable_.original);
  } else {
    std::memset(&copy + 1, 0, variable_.bytes);
  }
}

void copies_of_variable::combine() {
  for (std::size_t block = 0; block < block_count_; ++block) {
    const std::size_t count = block + 1 == block_count_ ? made_ : std::size_t{1} << block;
    for (std::size_t i = 0; i < count; ++i) {
      void* const copy = at(block, i) + 1;
      variable_.combine(variable_.address, copy);
      if (variable_.finalise != nullptr) variable_.finalise(copy);
    }
    if (block != 0) takt_omp_task_free(blocks_[block]);
  }
  block_count_ = 0;
}

task_reductions* make_reductions(const abi::omp_reductions& group) {
  const auto number = static_cast<std::uint32_t>(group.count);
  const auto* const from = static_cast<const reduced_variable*>(group.variables);
  // One piece for all that most groups need.
  std::size_t bytes = sizeof(task_reductions) + number * sizeof(copies_of_variable);
  std::size_t at = bytes;
  for (std::uint32_t i = 0; i < number; ++i) bytes += copies_of_variable::bytes_of_block(from[i], 0);
  auto* const room = static_cast<std::byte*>(takt_omp_task_room(bytes));
  auto* const all = new (room) task_reductions{&takt_hot, {}, number};
  for (std::uint32_t i = 0; i < number; ++i) {
    new (all->variables() + i) copies_of_variable(*all, from[i], room + at);
    at += copies_of_variable::bytes_of_block(from[i], 0);
  }
  return all;
}

void free_reductions(task_reductions& all) {
  all.~task_reductions();
  takt_omp_task_free(&all);
}

/// Two tasks may be the first at one time: one of them makes it for nothing.
task_reductions& reductions_of(abi::omp_reductions& group) {
  const std::atomic_ref<void*> made(group.made);
  void* known = made.load(std::memory_order_acquire);
  if (known != nullptr) return *static_cast<task_reductions*>(known);
  task_reductions* const all = make_reductions(group);
  if (made.compare_exchange_strong(known, all, std::memory_order_acq_rel)) return *all;
  free_reductions(*all);
  return *static_cast<task_reductions*>(known);
}

/// Without a list: whether a group reduces what is at `address`.
bool is_described(const abi::omp_reductions& group, const void* address) {
  const auto* const variables = static_cast<const reduced_variable*>(group.variables);
  return std::any_of(variables, variables + group.count,
                     [address](const reduced_variable& variable) { return is_program_s(variable, address); });
}

/// @returns null where the group does not reduce what is at `address`; `is_new`: it is to be initialised.
copy_header* borrow_of(abi::omp_reductions& group, const void* address, bool& is_new) {
  // A group of which no task has taken a copy needs no list to tell.
  const bool has_list = std::atomic_ref<void*>(group.made).load(std::memory_order_acquire) != nullptr;
  if (!has_list && !is_described(group, address)) return nullptr;
  task_reductions& all = reductions_of(group);
  const bool is_own = all.thread == &takt_hot;
  for (std::uint32_t i = 0; is_own && i < all.count; ++i) {
    copies_of_variable& variable = all.variables()[i];
    if (!variable.is_program_s(address)) continue;
    copy_header* const copy = variable.take_at_hand();
    if (copy != nullptr) return copy;
  }
  const std::lock_guard guard(all.lock);
  for (std::uint32_t i = 0; i < all.count; ++i) {
    copies_of_variable& variable = all.variables()[i];
    // A task inside a task names the variable by the copy of that one.
    if (!variable.is_of(address)) continue;
    copy_header* const copy = is_own ? variable.take_at_hand() : nullptr;
    return copy != nullptr ? copy : variable.take(is_new);
  }
  return nullptr;
}

}  // namespace

group_of_own::group_of_own(abi::omp_reductions& group) noexcept : own_{nullptr, nullptr, 0, &group} {
  const auto* const from = static_cast<const reduced_variable*>(group.variables);
  auto* const variables = static_cast<reduced_variable*>(takt_omp_task_room(group.count * sizeof(reduced_variable)));
  for (std::uint64_t i = 0; i < group.count; ++i) {
    // One with two names is reduced by the group around.
    if (from[i].original != from[i].address) continue;
    variables[own_.count] = from[i];
    variables[own_.count++].address = takt_omp_borrow(&group, from[i].address);
  }
  own_.variables = variables;
}

group_of_own::~group_of_own() {
  if (own_.made != nullptr) takt_omp_combine(&own_);
  auto* const variables = static_cast<reduced_variable*>(const_cast<void*>(own_.variables));
  for (std::uint64_t i = 0; i < own_.count; ++i) takt_omp_give_back(variables[i].address);
  takt_omp_task_free(variables);
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

// These two are not put into code that may change threads between them.
[[gnu::noinline]] void* takt_omp_borrow(takt::abi::omp_reductions* reductions, const void* address) noexcept {
  copy_header* copy = nullptr;
  bool is_new = false;
  for (auto* group = reductions; group != nullptr && copy == nullptr; group = group->around) {
    copy = borrow_of(*group, address, is_new);
  }
  if (copy == nullptr) give_up("takt: a task has in_reduction of a variable that no taskgroup around it reduces\n");
  // The program's code: it may take as long as it likes.
  if (is_new) copy->of->initialise(*copy);
  return copy + 1;
}

[[gnu::noinline]] void takt_omp_give_back(void* copy) noexcept {
  copy_header& header = static_cast<copy_header*>(copy)[-1];
  if (header.of->all().thread == &takt_hot && header.of->put_at_hand(header)) return;
  const std::lock_guard guard(header.of->all().lock);
  header.of->give_back(header);
}

std::uint64_t takt_omp_reduced_bytes(const void* copy) noexcept {
  return static_cast<const copy_header*>(copy)[-1].of->bytes();
}

void takt_omp_combine(takt::abi::omp_reductions* reductions) noexcept {
  auto& all = *static_cast<task_reductions*>(reductions->made);
  for (std::uint32_t i = 0; i < all.count; ++i) all.variables()[i].combine();
  free_reductions(all);
}
}
