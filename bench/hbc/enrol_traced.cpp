// The programs of `takt`, with a record of each poll: chunking.py makes tables of it. The linker
// puts the functions below between the converted code and the runtime (--wrap), so the runtime has
// no part in it. One worker, and no promotions: then one loop is the outermost one.
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <takt/omp.hpp>

#include "hbc/enrol.hpp"
#include "hbc/mandelbrot/images.hpp"
#include "lab/loop/polled_chunks.hpp"

namespace takt::bench {
namespace {

struct look {
  std::int64_t ns;
  std::uint64_t row;    // iterations of the outermost loop that had been claimed
  std::uint64_t chunk;  // what the credit after the poll is worth, where polls are counted
};

// Of the last run.
class trace {
 public:
  trace() { looks_.reserve(k_most); }
  ~trace() { write(); }
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  void begin_run() {
    looks_.clear();
    unseen_ = 0;
  }
  void begin_loop(const abi::omp_frame* frame) {
    if (outermost_ == nullptr) {
      outermost_ = frame;
    }
  }
  void end_loop(const abi::omp_frame* frame) {
    if (outermost_ == frame) {
      outermost_ = nullptr;
    }
  }
  void look_at_polls() {
    const std::uint64_t polls = takt_hot.polls;
    if (polls == polls_) {
      return;
    }
    // More than one since the last look: the others cannot be told apart.
    unseen_ += polls - polls_ - 1;
    polls_ = polls;
    if (looks_.size() == k_most) {
      ++unseen_;
      return;
    }
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    looks_.push_back({std::chrono::nanoseconds(now).count(),
                      outermost_ == nullptr ? 0 : outermost_->cursor.frame.next, chunk_of_credit()});
  }

 private:
  static std::uint64_t chunk_of_credit() {
    constexpr std::int64_t k_units = core::polled_chunks::k_units;
    return static_cast<std::uint64_t>((takt_hot.credit + k_units - 1) / k_units);
  }

  static constexpr std::size_t k_most = 4'000'000;

  void write() const {
    const char* const path = std::getenv("HBC_TRACE");
    if (path == nullptr) {
      return;
    }
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) {
      std::fprintf(stderr, "HBC_TRACE: %s: %s\n", path, std::strerror(errno));
      return;
    }
    std::fprintf(file, "unseen %" PRIu64 "\n", unseen_);
    for (const look& one : looks_) {
      std::fprintf(file, "%" PRId64 " %" PRIu64 " %" PRIu64 "\n", one.ns, one.row, one.chunk);
    }
    std::fclose(file);
  }

  std::vector<look> looks_;
  std::uint64_t unseen_ = 0;
  std::uint64_t polls_ = 0;
  const abi::omp_frame* outermost_ = nullptr;
};

trace& the_trace() {
  static trace one;
  return one;
}

void begin_run() { the_trace().begin_run(); }

}  // namespace

#define TAKT_HBC_ROW(problem, program) TAKT_HBC_ENROL(takt, "takt", begin_run, problem, program)
TAKT_HBC_TABLE(TAKT_HBC_ROW)
TAKT_HBC_BESIDE_TABLE(TAKT_HBC_ROW)
TAKT_HBC_ENROL_IMAGES(takt, "takt", begin_run)

}  // namespace takt::bench

extern "C" {

using takt::abi::loop_chunk;
using takt::abi::loop_cursor;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_way;

omp_way __real_takt_omp_ask(const omp_loop* what, std::uint64_t count, std::int64_t units) noexcept;
void __real_takt_omp_begin(omp_frame* frame, void* cells) noexcept;
loop_chunk __real_takt_loop_next(loop_cursor* cursor) noexcept;
std::uint32_t __real_takt_omp_end(omp_frame* frame) noexcept;

omp_way __wrap_takt_omp_ask(const omp_loop* what, std::uint64_t count,
                            std::int64_t units) noexcept {
  const omp_way way = __real_takt_omp_ask(what, count, units);
  takt::bench::the_trace().look_at_polls();
  return way;
}

void __wrap_takt_omp_begin(omp_frame* frame, void* cells) noexcept {
  __real_takt_omp_begin(frame, cells);
  takt::bench::the_trace().begin_loop(frame);
  takt::bench::the_trace().look_at_polls();
}

loop_chunk __wrap_takt_loop_next(loop_cursor* cursor) noexcept {
  const loop_chunk chunk = __real_takt_loop_next(cursor);
  takt::bench::the_trace().look_at_polls();
  return chunk;
}

std::uint32_t __wrap_takt_omp_end(omp_frame* frame) noexcept {
  takt::bench::the_trace().end_loop(frame);
  const std::uint32_t ran_last = __real_takt_omp_end(frame);
  takt::bench::the_trace().look_at_polls();
  return ran_last;
}
}
