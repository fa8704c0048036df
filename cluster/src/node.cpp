#include "node.hpp"

#include "kinds.hpp"

#include <takt/spawn.hpp>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

namespace takt::cluster {

namespace {

using std::chrono::microseconds;

// A node without work looks for an answer, or a question, after so many beats at the latest: then it uses less than a
// hundredth of a core.
constexpr int k_longest_pause = 8;
// Between two looks whether all are done: a session takes as long to end.
constexpr microseconds k_leaving_pause{2000};

}  // namespace

const char* node::begin(microseconds beat) {
  if (beat <= microseconds::zero()) return "a remote beat takes time";
  std::unique_lock lock(mutex_);
  if (stage_ != stage::over) return "there is a session already";
  stage_ = stage::starting;
  beat_ = beat;
  sent_.begin();
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error&) {
    stage_ = stage::over;
    return "no thread can be had";
  }
  changed_.wait(lock, [this] { return stage_ != stage::starting; });
  if (stage_ == stage::there) return nullptr;
  join(lock);
  return wrong_;
}

void node::end() {
  std::unique_lock lock(mutex_);
  stage_ = stage::leaving;
  changed_.notify_all();
  join(lock);
}

// Nobody begins another session before that.
void node::join(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  thread_.join();
  lock.lock();
  stage_ = stage::over;
}


// --- Any thread's side -------------------------------------------------------------------

void node::open(abi::open_frame& frame) {
  frame.since = now_.load(std::memory_order_relaxed);
  open_.add(frame);
}

const abi::outcome* node::settle(abi::open_frame& frame) {
  if (open_.remove(frame)) return nullptr;
  abi::event back;
  bool is_back = false;
  {
    const std::lock_guard guard(mutex_);
    awaited& a = awaited_[frame.slot];
    is_back = a.is_back;
    if (!is_back) {
      takt_event_begin(&back);
      a.waiter = &back;
    }
  }
  if (!is_back) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    takt_event_wait(&back);
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  return &exchange_->outcome_in(frame.slot);
}

void node::run(std::unique_ptr<guest> branch) {
  const abi::travelling* const kind = kind_of(branch->from.kind);
  kind->run(branch->from.captures, &branch->outcome);
  run_ends();
  const std::lock_guard guard(mutex_);
  done_.push_back(std::move(branch));
  // Under the lock: who has the outcome may end the session.
  changed_.notify_all();
}

// --- The side of the thread that talks ------------------------------------------------------

bool node::take_oldest(std::uint32_t slot, message& to) {
  // Open for a whole beat at least.
  const std::uint64_t before = now_.load(std::memory_order_relaxed) - 1;
  return open_.take_oldest(before, [&](abi::open_frame& frame) {
    to.kind = frame.kind->number;
    to.bytes = static_cast<std::uint32_t>(frame.kind->bytes);
    std::memcpy(to.captures, frame.captures, to.bytes);
    {
      const std::lock_guard guard(mutex_);
      awaited_[slot] = {};
    }
    frame.slot = slot;
  });
}

void node::arrived(const message& from) {
  run_begins();
  auto branch = std::make_unique<guest>();
  std::memcpy(&branch->from, &from, from.length());
  takt::spawn([this, branch = std::move(branch)]() mutable { run(std::move(branch)); });
}

void node::came_back(std::uint32_t slot) {
  abi::event* waiter = nullptr;
  {
    const std::lock_guard guard(mutex_);
    awaited_[slot].is_back = true;
    waiter = awaited_[slot].waiter;
  }
  if (waiter != nullptr) takt_event_end(waiter);
}

const char* node::start(std::unique_ptr<transport>& net) {
  const char* wrong = mpi_.begin();
  if (wrong != nullptr) return wrong;
  if (!mpi_.agree(all_kinds())) {
    wrong = "the nodes run different programs";
  } else if (mpi_.size() > 1) {
    net = mpi_.connect(exchange::bytes(mpi_.size()));
    if (net == nullptr) wrong = "MPI keeps two copies of what other nodes write";
  }
  if (wrong != nullptr) mpi_.end();
  return wrong;
}

void node::serve() {
  const auto tell = [this](stage s) {
    {
      const std::lock_guard guard(mutex_);
      stage_ = s;
    }
    changed_.notify_all();
  };
  std::unique_ptr<transport> net;
  wrong_ = start(net);
  if (wrong_ != nullptr) return tell(stage::failed);
  if (net != nullptr) {
    exchange_.emplace(*net, static_cast<host&>(*this), sent_);
    takt_cluster_nodes = mpi_.size();
  }
  tell(stage::there);
  if (net != nullptr) {
    talk();
  } else {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stage_ == stage::leaving; });
  }
  takt_cluster_nodes = 1;
  exchange_.reset();
  net.reset();
  mpi_.end();
}

bool node::has_nothing() {
  return running_.load(std::memory_order_relaxed) <= waiting_.load(std::memory_order_relaxed) && !open_.any();
}

microseconds node::pause_after(microseconds last, bool any) {
  return any || !has_nothing() ? beat_ : std::min(2 * last, k_longest_pause * beat_);
}

bool node::send_outcomes() {
  std::vector<std::unique_ptr<guest>> done;
  {
    const std::lock_guard guard(mutex_);
    done.swap(done_);
  }
  for (const auto& branch : done) exchange_->send_back(branch->from.home, branch->from.slot, branch->outcome);
  return !done.empty();
}

void node::talk() {
  using clock = std::chrono::steady_clock;
  microseconds pause = beat_;
  clock::time_point next = clock::now() + pause;
  bool had_nothing = false;
  for (bool is_leaving = false;;) {
    {
      std::unique_lock lock(mutex_);
      const auto until = is_leaving ? std::min(next, clock::now() + k_leaving_pause) : next;
      changed_.wait_until(lock, until, [&] { return !done_.empty() || (stage_ == stage::leaving && !is_leaving); });
      is_leaving = stage_ == stage::leaving;
    }
    const bool beat = clock::now() >= next;
    if (beat) now_.fetch_add(1, std::memory_order_relaxed);
    mpi_.progress();
    bool any = send_outcomes();
    any |= exchange_->look(beat);
    if (beat) {
      const bool nothing = has_nothing();
      if (nothing && had_nothing) exchange_->ask();
      had_nothing = nothing;
      pause = pause_after(pause, any);
      next = clock::now() + pause;
    }
    if (is_leaving && mpi_.all_are_done()) return;
  }
}

}  // namespace takt::cluster

// --- What compiled code calls --------------------------------------------------------------

namespace {

// Never destroyed: a worker may be in it when the program ends.
takt::cluster::node& this_node() {
  static takt::cluster::node& node = *new takt::cluster::node;
  return node;
}

}  // namespace

std::uint32_t takt_cluster_nodes = 1;

const char* takt_cluster_begin(std::uint64_t beat_us) noexcept {
  return this_node().begin(std::chrono::microseconds(static_cast<std::int64_t>(beat_us)));
}
void takt_cluster_end() noexcept { this_node().end(); }
std::uint32_t takt_cluster_rank() noexcept { return this_node().rank(); }
takt::abi::cluster_counts takt_cluster_counts() noexcept { return this_node().counts(); }
void takt_cluster_run_begins() noexcept { this_node().run_begins(); }
void takt_cluster_run_ends() noexcept { this_node().run_ends(); }
void takt_cluster_open(takt::abi::open_frame* frame) noexcept { this_node().open(*frame); }
const takt::abi::outcome* takt_cluster_settle(takt::abi::open_frame* frame) noexcept {
  return this_node().settle(*frame);
}
void takt_cluster_give_back(takt::abi::open_frame* frame) noexcept { this_node().give_back(*frame); }
