// The bindings for C++ that MPI had once are no part of it any more.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1

#include "mpi.hpp"

#include <mpi.h>

#include <atomic>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

namespace takt::cluster {

namespace {

// A write is there after some looks, or after the other node has called MPI. A shorter nap is none: Linux adds 50 us.
constexpr unsigned k_rounds = 20;
constexpr std::chrono::microseconds k_nap{50};

MPI_Comm nodes = MPI_COMM_NULL;
MPI_Request barrier = MPI_REQUEST_NULL;

class window final : public transport {
 public:
  window(unsigned rank, unsigned size, std::size_t bytes) : rank_(rank), size_(size) {
    MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, nodes, static_cast<void*>(&memory_), &window_);
    std::memset(memory_, 0, bytes);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    MPI_Win_sync(window_);
    // From here on others may write.
    MPI_Barrier(nodes);
  }
  ~window() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  bool is_unified() const {
    int* model = nullptr;
    int is_known = 0;
    MPI_Win_get_attr(window_, MPI_WIN_MODEL, static_cast<void*>(&model), &is_known);
    return is_known != 0 && *model == MPI_WIN_UNIFIED;
  }

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }

  void put(unsigned node, std::size_t at, const void* from, std::size_t bytes) override {
    // EDGE cluster.there: it is there before a flag is raised that says so.
    replace(node, at, from, bytes, MPI_BYTE);
  }
  void raise(unsigned node, std::size_t flag, std::uint64_t value) override {
    replace(node, flag, &value, 1, MPI_UINT64_T);
  }

  std::byte* memory() override { return memory_; }
  std::uint64_t look(std::size_t flag) override {
    // EDGE cluster.there
    const std::uint64_t value = own(flag).load(std::memory_order_acquire);
    if (value != 0) MPI_Win_sync(window_);
    return value;
  }
  void lower(std::size_t flag) override {
    own(flag).store(0, std::memory_order_release);
    MPI_Win_sync(window_);
  }

 private:
  // Who has what was there before knows that the rest is there. Of an MPI_Put one would learn by MPI_Win_flush, which waits
  // actively until the other node's MPI has been called, if the network needs that.
  void replace(unsigned node, std::size_t at, const void* by, std::size_t count, MPI_Datatype type) {
    std::array<std::byte, k_most_bytes> before;
    const int number = static_cast<int>(count);
    MPI_Request done;
    MPI_Rget_accumulate(by, number, type, before.data(), number, type, static_cast<int>(node),
                        static_cast<MPI_Aint>(at), number, type, MPI_REPLACE, window_, &done);
    int is_done = 0;
    for (unsigned round = 0; MPI_Test(&done, &is_done, MPI_STATUS_IGNORE), is_done == 0; ++round) {
      if (round >= k_rounds) std::this_thread::sleep_for(k_nap);
    }
  }

  // What others write is seen here as any memory: the windows are unified (mpi::connect).
  std::atomic_ref<std::uint64_t> own(std::size_t flag) {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(memory_ + flag));
  }

  unsigned rank_, size_;
  std::byte* memory_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

const char* mpi::begin() noexcept {
  int is_over = 0, is_there = 0;
  MPI_Finalized(&is_over);
  if (is_over != 0) return "MPI has been finalised";
  MPI_Initialized(&is_there);
  int level = MPI_THREAD_FUNNELED;
  if (is_there != 0) {
    MPI_Query_thread(&level);
    if (level != MPI_THREAD_MULTIPLE) return "the program has initialised MPI without MPI_THREAD_MULTIPLE";
  } else {
    if (MPI_Init_thread(nullptr, nullptr, level, &level) != MPI_SUCCESS) return "MPI cannot be initialised";
    owns_ = true;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &nodes);
  int rank = 0, size = 1;
  MPI_Comm_rank(nodes, &rank);
  MPI_Comm_size(nodes, &size);
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
  return nullptr;
}

void mpi::end() noexcept {
  MPI_Comm_free(&nodes);
  if (owns_) MPI_Finalize();
  *this = mpi();
}

bool mpi::agree(std::uint64_t number) noexcept {
  std::uint64_t least = 0, most = 0;
  MPI_Allreduce(&number, &least, 1, MPI_UINT64_T, MPI_MIN, nodes);
  MPI_Allreduce(&number, &most, 1, MPI_UINT64_T, MPI_MAX, nodes);
  return least == most;
}

std::unique_ptr<transport> mpi::connect(std::size_t bytes) {
  auto made = std::make_unique<window>(rank_, size_, bytes);
  // Not on machines without coherent caches.
  if (!made->is_unified()) return nullptr;
  return made;
}

void mpi::progress() noexcept {
  int any = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, nodes, &any, MPI_STATUS_IGNORE);
}

bool mpi::all_are_done() noexcept {
  if (!waits_) MPI_Ibarrier(nodes, &barrier);
  waits_ = true;
  int over = 0;
  MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
  return over != 0;
}

}  // namespace takt::cluster
