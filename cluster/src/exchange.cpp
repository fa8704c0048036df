#include "exchange.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

namespace takt::cluster {

namespace {

/// What others write of a node's memory. Behind it, for each node, the flag by which that one asks.
struct board {
  std::uint64_t answer;
  message mailbox;
  struct {
    std::uint64_t done;
    abi::outcome outcome;
  } slots[exchange::k_slots];
};

static_assert(sizeof(message) <= transport::k_most_bytes && sizeof(abi::outcome) <= transport::k_most_bytes);

std::size_t done_of(std::uint32_t slot) { return offsetof(board, slots) + slot * sizeof(board::slots[0]); }
std::size_t outcome_of(std::uint32_t slot) {
  return done_of(slot) + offsetof(std::remove_reference_t<decltype(board::slots[0])>, outcome);
}
std::size_t ask_of(unsigned node) { return sizeof(board) + node * sizeof(std::uint64_t); }

}  // namespace

exchange::exchange(transport& net, host& node, traffic& sent) : net_(net), node_(node), sent_(sent) {
  // Programs begin on node 0.
  asked_ = net.size() - 1;
  next_to_ask();
}

std::size_t exchange::bytes(unsigned nodes) { return ask_of(nodes); }

bool exchange::look(bool beat) {
  bool any = take_answer();
  any |= take_outcomes();
  if (beat) any |= answer_others();
  return any;
}

bool exchange::ask() {
  if (asking_) return false;
  asking_ = true;
  raise(asked_, ask_of(net_.rank()), 1);
  return true;
}

bool exchange::take_answer() {
  if (!asking_) return false;
  const auto said = static_cast<answer>(net_.look(offsetof(board, answer)));
  if (said == answer::none) return false;
  if (said == answer::branch) {
    message taken;
    std::memcpy(&taken, net_.memory() + offsetof(board, mailbox), offsetof(message, captures));
    std::memcpy(taken.captures, net_.memory() + offsetof(board, mailbox) + offsetof(message, captures), taken.bytes);
    node_.arrived(taken);
  } else {
    next_to_ask();
  }
  // From the next question on the mailbox is another node's.
  net_.lower(offsetof(board, answer));
  asking_ = false;
  return said == answer::branch;
}

bool exchange::take_outcomes() {
  bool any = false;
  for (std::uint32_t slot = 0; slot < k_slots; ++slot) {
    if (!awaits_[slot] || net_.look(done_of(slot)) == 0) continue;
    net_.lower(done_of(slot));
    awaits_[slot] = false;
    any = true;
    node_.came_back(slot);
  }
  return any;
}

bool exchange::answer_others() {
  // One branch for each beat; who asks beside that one waits for the next.
  for (unsigned k = 1; k < net_.size(); ++k) {
    const unsigned node = (net_.rank() + k) % net_.size();
    if (net_.look(ask_of(node)) != 0 && answer_one(node)) return true;
  }
  return false;
}

bool exchange::answer_one(unsigned node) {
  const std::uint32_t slot = free_slot();
  message sent;
  const bool any = slot != k_slots && node_.take_oldest(slot, sent);
  // Before the answer, behind which that node may ask again.
  net_.lower(ask_of(node));
  if (any) {
    sent.home = net_.rank();
    sent.slot = slot;
    used_[slot].store(true, std::memory_order_relaxed);
    awaits_[slot] = true;
    sent_.promotions.fetch_add(1, std::memory_order_relaxed);
    put(node, offsetof(board, mailbox), &sent, sent.length());
  }
  raise(node, offsetof(board, answer), static_cast<std::uint64_t>(any ? answer::branch : answer::nothing));
  return any;
}

void exchange::send_back(unsigned home, std::uint32_t slot, const abi::outcome& outcome) {
  put(home, outcome_of(slot), &outcome, offsetof(abi::outcome, data) + outcome.bytes);
  raise(home, done_of(slot), 1);
}

const abi::outcome& exchange::outcome_in(std::uint32_t slot) const {
  return *reinterpret_cast<const abi::outcome*>(net_.memory() + outcome_of(slot));
}

std::uint32_t exchange::free_slot() const {
  std::uint32_t slot = 0;
  // EDGE cluster.slot
  while (slot < k_slots && used_[slot].load(std::memory_order_acquire)) ++slot;
  return slot;
}

void exchange::next_to_ask() {
  do asked_ = (asked_ + 1) % net_.size();
  while (net_.size() > 1 && asked_ == net_.rank());
}

void exchange::put(unsigned node, std::size_t at, const void* from, std::size_t bytes) {
  sent_.adds(bytes);
  net_.put(node, at, from, bytes);
}
void exchange::raise(unsigned node, std::size_t flag, std::uint64_t value) {
  sent_.adds(sizeof value);
  net_.raise(node, flag, value);
}

}  // namespace takt::cluster
