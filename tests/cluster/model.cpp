// The protocol of exchange.cpp over a simulated network: two or three nodes, whose steps are interleaved by a seed at
// each look at a flag and within each write. Each branch must run once, its outcome arrive whole and once at the fork
// that waits for it, and all must end.
#include "exchange.hpp"

#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

namespace {

using takt::abi::outcome;
using takt::cluster::exchange;
using takt::cluster::message;

std::uint64_t seed = 0;

[[noreturn]] void fail(const char* what) {
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), what);
  std::fflush(stdout);
  std::_Exit(1);
}

/// splitmix64
struct random_bits {
  std::uint64_t state;
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % n;
  }
};

class world;

/// A branch holds its number so often that half of it is seen.
constexpr std::size_t k_copies = 6;

class node final : public takt::cluster::transport, takt::cluster::host {
 public:
  node(world& all, unsigned rank, unsigned size);

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  void put(unsigned to, std::size_t at, const void* from, std::size_t bytes) override;
  void raise(unsigned to, std::size_t flag, std::uint64_t value) override;
  std::byte* memory() override { return memory_.data(); }
  std::uint64_t look(std::size_t flag) override;
  void lower(std::size_t flag) override;

  void open(std::uint64_t branch) { open_.push_back(branch); }
  void live();

 private:
  bool take_oldest(std::uint32_t slot, message& to) override;
  void arrived(const message& from) override;
  void came_back(std::uint32_t slot) override;
  void run(std::uint64_t branch);
  void work();

  world& all_;
  unsigned rank_, size_;
  std::vector<std::byte> memory_;
  std::vector<std::uint64_t> open_;
  std::vector<message> guests_;
  std::array<std::uint64_t, exchange::k_slots> away_{};
  takt::cluster::traffic sent_;
  std::unique_ptr<exchange> exchange_;
};

class world {
 public:
  static constexpr std::uint64_t k_branches = 6;

  explicit world(unsigned nodes) : random{seed} {
    for (unsigned i = 0; i < nodes; ++i) nodes_.push_back(std::make_unique<node>(*this, i, nodes));
    // Node 0 has most of them, as where a program begins.
    for (std::uint64_t b = 1; b <= k_branches; ++b) at(b < 5 ? 0 : b % nodes).open(b);
    fibers_.resize(nodes);
  }

  node& at(std::uint64_t rank) { return *nodes_[rank]; }
  bool is_over() const { return ended.size() == k_branches; }

  void run() {
    active = this;
    for (fiber& f : fibers_) {
      f.stack.resize(std::size_t{1} << 16);
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack.data();
      f.context.uc_stack.ss_size = f.stack.size();
      f.context.uc_link = &main_;
      makecontext(&f.context, &begin, 0);
    }
    for (unsigned steps = 0;; ++steps) {
      if (steps > 200'000) fail("no end");
      std::vector<std::size_t> there;
      for (std::size_t i = 0; i < fibers_.size(); ++i) {
        if (!fibers_[i].is_over) there.push_back(i);
      }
      if (there.empty()) break;
      current_ = there[random.below(there.size())];
      swapcontext(&main_, &fibers_[current_].context);
    }
    if (ran.size() != k_branches) fail("a branch did not run");
  }
  /// Any other node may go on here.
  void point() { swapcontext(&fibers_[current_].context, &main_); }

  random_bits random;
  unsigned enders = 0;
  std::set<std::uint64_t> ran, ended;

 private:
  struct fiber {
    ucontext_t context;
    std::vector<char> stack;
    bool is_over = false;
  };
  static void begin() {
    world& self = *active;
    const std::size_t mine = self.current_;
    self.nodes_[mine]->live();
    self.fibers_[mine].is_over = true;
  }
  static inline world* active = nullptr;

  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<fiber> fibers_;
  ucontext_t main_;
  std::size_t current_ = 0;
};

node::node(world& all, unsigned rank, unsigned size)
    : all_(all), rank_(rank), size_(size), memory_(exchange::bytes(size)),
      exchange_(std::make_unique<exchange>(*this, static_cast<host&>(*this), sent_)) {}

void node::put(unsigned to, std::size_t at, const void* from, std::size_t bytes) {
  std::byte* const target = all_.at(to).memory() + at;
  // In pieces, of which any may be there first.
  std::vector<std::size_t> pieces;
  for (std::size_t i = 0; i < bytes; i += 8) pieces.push_back(i);
  while (!pieces.empty()) {
    const std::size_t k = all_.random.below(pieces.size());
    const std::size_t i = pieces[k];
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k));
    all_.point();
    std::memcpy(target + i, static_cast<const std::byte*>(from) + i, bytes - i < 8 ? bytes - i : 8);
  }
}
void node::raise(unsigned to, std::size_t flag, std::uint64_t value) {
  all_.point();
  std::memcpy(all_.at(to).memory() + flag, &value, sizeof value);
}
std::uint64_t node::look(std::size_t flag) {
  all_.point();
  std::uint64_t value = 0;
  std::memcpy(&value, memory_.data() + flag, sizeof value);
  return value;
}
void node::lower(std::size_t flag) {
  all_.point();
  std::memset(memory_.data() + flag, 0, sizeof(std::uint64_t));
}

bool node::take_oldest(std::uint32_t slot, message& to) {
  if (open_.empty()) return false;
  const std::uint64_t branch = open_.front();
  open_.erase(open_.begin());
  to.kind = branch;
  to.bytes = k_copies * sizeof branch;
  for (std::size_t i = 0; i < k_copies; ++i) std::memcpy(to.captures + i * sizeof branch, &branch, sizeof branch);
  if (away_[slot] != 0) fail("a slot was used twice");
  away_[slot] = branch;
  return true;
}
void node::arrived(const message& from) {
  for (std::size_t i = 0; i < k_copies; ++i) {
    if (from.bytes != k_copies * 8 || std::memcmp(&from.kind, from.captures + i * 8, 8) != 0)
      fail("a branch arrived in part");
  }
  guests_.push_back(from);
}
void node::came_back(std::uint32_t slot) {
  const std::uint64_t branch = away_[slot];
  const outcome& out = exchange_->outcome_in(slot);
  for (std::size_t i = 0; i < k_copies; ++i) {
    if (out.bytes != k_copies * 8 || std::memcmp(&branch, out.data + i * 8, 8) != 0)
      fail("an outcome arrived in part, or elsewhere");
  }
  away_[slot] = 0;
  exchange_->free(slot);
  if (!all_.ended.insert(branch).second) fail("an outcome arrived twice");
}
void node::run(std::uint64_t branch) {
  if (!all_.ran.insert(branch).second) fail("a branch ran twice");
}

void node::work() {
  if (!guests_.empty()) {
    const message guest = guests_.back();
    guests_.pop_back();
    run(guest.kind);
    outcome out{};
    out.bytes = k_copies * 8;
    for (std::size_t i = 0; i < k_copies; ++i) std::memcpy(out.data + i * 8, &guest.kind, 8);
    exchange_->send_back(guest.home, guest.slot, out);
  } else if (!open_.empty()) {
    // The newest is this node's own.
    const std::uint64_t branch = open_.back();
    open_.pop_back();
    run(branch);
    all_.ended.insert(branch);
  }
}

void node::live() {
  while (!all_.is_over()) {
    exchange_->look(all_.random.below(2) == 0);
    // Whether it is idle is said by nobody: any node may ask at any time.
    if (all_.random.below(3) == 0) exchange_->ask();
    if (all_.random.below(4) == 0) work();
    all_.point();
  }
  // Each question that is open is answered as long as all look.
  ++all_.enders;
  for (unsigned looks = 0; looks < 3 * size_ || all_.enders < 2 * size_; ++looks) {
    exchange_->look(true);
    if (looks == 3 * size_) ++all_.enders;
    all_.point();
  }
  exchange_->look(true);
  if (!exchange_->ask()) fail("a question got no answer");
}

}  // namespace

int main() {
  constexpr std::uint64_t k_schedules = 4000;
  for (seed = 1; seed <= k_schedules; ++seed) {
    world all(2 + seed % 2);
    all.run();
  }
  std::printf("%llu schedules held\n", static_cast<unsigned long long>(k_schedules));
}
