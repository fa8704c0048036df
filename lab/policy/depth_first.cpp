#include "lab/policy/depth_first.hpp"

#include "memory/memory_keeper.hpp"
#include "worker/runtime.hpp"

#include <new>
#include <utility>
#include <vector>

namespace takt::core {

namespace {

/// Records for promotions to come. A seat's: touched by its holder alone.
struct alignas(abi::k_cache_line) spare_records {
  ready_task* first = nullptr;
  std::size_t count = 0;
};

class depth_first final : public policy {
 public:
  explicit depth_first(runtime& r) : owner_(r), spare_(r.most_workers) {}
  ~depth_first() override {
    for (spare_records& s : spare_) {
      while (s.first != nullptr) delete std::exchange(s.first, s.first->next);
    }
  }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override {
    spare_records& s = spare_of(w);
    // For a promotion in a signal handler, too.
    while (may_grow && s.count < 2 * count) {
      auto* const t = new (std::nothrow) ready_task;
      if (t == nullptr) break;
      t->next = std::exchange(s.first, t);
      ++s.count;
    }
    return s.count >= count;
  }
  void publish(worker& w, std::uint64_t task, bool) noexcept override {
    spare_records& s = spare_of(w);
    ready_task* const t = std::exchange(s.first, s.first->next);
    --s.count;
    t->task = task;
    t->parent = w.scheduler.current();
    t->by = &w;
    all().put(*t, relax());
  }
  void wake_for(worker&, std::uint64_t task, bool in_signal_handler) noexcept override {
    owner_.announce_task(entry::scope(task), in_signal_handler);
  }
  std::uint64_t cut(worker&, std::uint64_t begin, std::uint64_t end) noexcept override {
    return cut_in_half(begin, end);
  }

  std::uint64_t next(worker& w) noexcept override {
    const std::uint64_t e = owner_.memory->take_leftmost_task(w);
    if (e != entry::k_none) owner_.simulator.note(platform::action::steal);
    return e;
  }
  bool is_anything_for(worker&, task_search& search) noexcept override {
    return all().look(relax(), [&search](const ready_task& t) { return search.ends_at(t.task); }) != entry::k_none;
  }
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override {
    // Whoever clears up after a call asks without a fiber: only that call's tasks are its own.
    const auto chosen = [&](const ready_task& t) {
      if (wanted != nullptr) return entry::task(t.task) == wanted;
      return (w.scheduler.current() != nullptr || scope_table::is_of(entry::scope(t.task), w.scheduler.scope())) &&
          runs_here(entry::task(t.task));
    };
    const ready_task* const t =
        all().take(relax(), [&](ready_task* newest) { return ready_tasks::first(newest, chosen); });
    const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
    delete t;
    return e;
  }

  std::uint64_t take_awaited(worker& w, bool) noexcept override {
    const auto awaited = [&w](const ready_task& t) { return is_awaited(w, t.task); };
    const ready_task* const t =
        all().take(relax(), [&](ready_task* newest) { return ready_tasks::first(newest, awaited); });
    const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
    delete t;
    return e;
  }

  bool offers(const worker& w, std::uint32_t scope) noexcept override {
    return all().look(relax(), [&](const ready_task& t) {
      return t.by == &w && (scope == 0 || entry::scope(t.task) == scope);
    }) != entry::k_none;
  }
  // There is one order.
  bool excludes_others() const noexcept override { return true; }
  bool may_leave(const worker&) noexcept override { return true; }
  void left_by(worker& w, task_search& search) noexcept override { (void)is_anything_for(w, search); }
  void go_on_alone(worker& w) noexcept override { all().go_on_alone(w); }

 private:
  ready_tasks& all() noexcept { return owner_.memory->not_begun(); }
  relax_on_platform relax() const noexcept { return {&owner_.threading}; }
  spare_records& spare_of(const worker& w) noexcept { return spare_[w.seat.index()]; }

  runtime& owner_;
  std::vector<spare_records> spare_;
};

}  // namespace

std::unique_ptr<policy> make_depth_first(runtime& r) { return std::make_unique<depth_first>(r); }

}  // namespace takt::core
