// Prints the layouts that program and library share, as the compiler sees them that compiled this.
#include "layouts.hpp"

#include <cinttypes>
#include <cstdio>

namespace {

using namespace takt_layouts;

constexpr std::uint64_t k_all = hash_of_all();

void print(std::string_view text) { std::printf("%.*s", static_cast<int>(text.size()), text.data()); }

void print(const layout& l) {
  print(l.name);
  if (l.bytes != 0) std::printf(": %" PRIu64 " bytes, aligned to %" PRIu64, l.bytes, l.alignment);
  std::printf(" [%016" PRIx64 "]\n", hash_of(l));
  for (const entry& e : l.entries) {
    std::printf("  ");
    print(e.name);
    if (e.bytes != 0) {
      std::printf(" at %" PRIu64 ", %" PRIu64 " bytes\n", e.at, e.bytes);
    } else {
      std::printf(" = %" PRIu64 "\n", e.at);
    }
  }
}

}  // namespace

int main() {
  std::printf("version %d [%016" PRIx64 "]\n", takt::abi::k_version, k_all);
  for (const layout* l : k_layouts) print(*l);
}
