// A program shorter than a remote beat: no node sends anything.
#include "programs.hpp"

#include <chrono>

int main() {
  {
    takt::cluster::session nodes(std::chrono::hours(1));
    if (nodes.rank() == 0) {
      cluster_test::check(cluster_test::fib(22) == cluster_test::serial_fib(22), "fib");
      cluster_test::check(cluster_test::ordered_product(1000) == cluster_test::serial_product(1000), "product");
    }
  }
  cluster_test::check(takt_cluster_counts().messages == 0, "a message was sent");
  std::printf("right\n");
}
