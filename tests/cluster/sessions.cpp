// Many sessions of one program, which has initialised MPI itself: they begin, work and end, and never hang.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "programs.hpp"

#include <mpi.h>

#include <chrono>
#include <string>

namespace {

using cluster_test::check;

void second_session() {
  try {
    takt::cluster::session another;
    check(false, "a second session began");
  } catch (const std::runtime_error& e) {
    check(std::string(e.what()).find("there is a session already") != std::string::npos, e.what());
  }
}

void without_a_beat() {
  try {
    takt::cluster::session none(std::chrono::microseconds(0));
    check(false, "a session without a beat began");
  } catch (const std::runtime_error& e) {
    check(std::string(e.what()).find("a remote beat takes time") != std::string::npos, e.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0, rank = 0, size = 0;
  const int times = argc > 1 ? std::atoi(argv[1]) : 50;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) {
    std::printf("skipped: this MPI has no MPI_THREAD_MULTIPLE\n");
    MPI_Finalize();
    return 77;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  without_a_beat();
  for (int i = 0; i < times; ++i) {
    takt::cluster::session nodes(std::chrono::microseconds(50));
    check(nodes.rank() == static_cast<unsigned>(rank) && nodes.size() == static_cast<unsigned>(size), "rank and size");
    // Others than node 0 may have work of their own, or none.
    if ((i + rank) % (i % 3 + 1) == 0) {
      check(cluster_test::fib(10 + i % 12) == cluster_test::serial_fib(10 + i % 12), "fib");
      if (i % 10 == 0) second_session();
    }
  }
  // MPI is the program's again.
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check(sum == size * (size - 1) / 2, "MPI after the sessions");
  MPI_Finalize();
  std::printf("right\n");
}
