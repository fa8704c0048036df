#include "policy/listener.hpp"

#include "policy/random.hpp"
#include "worker/runtime.hpp"

#include <array>
#include <atomic>
#include <exception>

namespace takt_test {

namespace {

using takt::core::runtime;
using takt::core::worker;

// Written in signal handlers, too.
std::array<heard, 1u << 16> notes;
std::atomic<std::size_t> note_count{0};
std::atomic<bool> promote_at_once{false};

void note(const takt::abi::hints& said, takt::abi::slot* pushed) noexcept {
  heard now{said, pushed != nullptr, 0};
  for (const takt::abi::hints* h = said.outer; h != nullptr; h = h->outer) ++now.around;
  if (pushed != nullptr && said.work_of != nullptr) {
    const auto& frame = **reinterpret_cast<takt::abi::loop_frame**>(pushed->payload);
    const auto begin = said.first + static_cast<std::int64_t>(frame.next) - 1;
    now.of_all = said.work_of(said.context, begin, said.first + static_cast<std::int64_t>(frame.end));
  }
  const std::size_t i = note_count.fetch_add(1);
  if (i < notes.size()) notes[i] = now;
}

class listener final : public takt::core::policy {
 public:
  explicit listener(runtime& r) : below_(takt::core::make_random(r)) {}

  bool wants_hints() const noexcept override { return true; }
  bool hinted(worker&, takt::abi::slot* pushed, const takt::abi::hints& said) noexcept override {
    note(said, pushed);
    return promote_at_once.load();
  }
  void promotes(worker&, const takt::core::latent_frame&, const takt::abi::hints* said) noexcept override {
    if (said != nullptr) note(*said, nullptr);
  }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override {
    return below_->reserve(w, count, may_grow);
  }
  void publish(worker& w, std::uint64_t task, bool near) noexcept override { below_->publish(w, task, near); }
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override {
    below_->wake_for(w, task, in_signal_handler);
  }
  std::uint64_t next(worker& w) noexcept override { return below_->next(w); }
  bool is_anything_for(worker& w, takt::core::task_search& search) noexcept override {
    return below_->is_anything_for(w, search);
  }
  std::uint64_t take_back(worker& w, const takt::abi::slot* wanted,
                          bool (*runs_here)(takt::abi::slot*)) noexcept override {
    return below_->take_back(w, wanted, runs_here);
  }
  std::uint64_t take_awaited(worker& w, bool in_vain) noexcept override { return below_->take_awaited(w, in_vain); }
  bool offers(const worker& w, std::uint32_t scope) noexcept override { return below_->offers(w, scope); }
  void serve(worker& w, bool in_signal_handler) noexcept override { below_->serve(w, in_signal_handler); }
  bool may_leave(const worker& w) noexcept override { return below_->may_leave(w); }
  void left_by(worker& w, takt::core::task_search& search) noexcept override { below_->left_by(w, search); }
  std::uint64_t cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept override {
    return below_->cut(w, begin, end);
  }
  void go_on_alone(worker& w) noexcept override { below_->go_on_alone(w); }

 private:
  std::unique_ptr<takt::core::policy> below_;
};

}  // namespace

std::vector<heard> what_was_heard() {
  // A test that looks at so much is no test.
  if (note_count.load() > notes.size()) std::terminate();
  return {notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(note_count.load())};
}

void listen_anew() { note_count.store(0); }

void begin_listening(unsigned workers, bool at_once, takt::trigger trigger) {
  promote_at_once.store(at_once);
  takt::core::replace_policy([](runtime& r) -> std::unique_ptr<takt::core::policy> {
    return std::make_unique<listener>(r);
  });
  takt::config c = takt::current_config();
  c.workers = workers;
  c.trigger = trigger;
  takt::configure(c);
  listen_anew();
}

}  // namespace takt_test
