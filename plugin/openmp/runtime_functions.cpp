#include "openmp/runtime_functions.hpp"

#include <llvm/ADT/StringMap.h>

namespace takt_plugin {

using namespace llvm;

namespace {

struct known {
  std::uint32_t traits = trait::none;
  reason in_loop = reason::calls;
};

const StringMap<known>& all() {
  static const StringMap<known> made = [] {
    using enum trait::set;
    StringMap<known> table;
#define KMPC(name, traits, why) table["__kmpc_" #name] = {static_cast<std::uint32_t>(traits), reason::why};
#define OMP(name, traits) table["omp_" #name] = {static_cast<std::uint32_t>(traits)};
#define OTHER(name, traits) table[#name] = {static_cast<std::uint32_t>(traits)};
#define FAMILY(prefix, traits)
#include "openmp/runtime_functions.def"
#undef KMPC
#undef OMP
#undef OTHER
#undef FAMILY
    return table;
  }();
  return made;
}

/// Of what has a name that begins so.
std::uint32_t traits_of_family(StringRef name) {
  using enum trait::set;
#define KMPC(name, traits, why)
#define OMP(name, traits)
#define OTHER(name, traits)
#define FAMILY(prefix, traits) \
  if (name.starts_with(#prefix)) return traits;
#include "openmp/runtime_functions.def"
#undef KMPC
#undef OMP
#undef OTHER
#undef FAMILY
  return none;
}

}  // namespace

std::uint32_t traits_of(StringRef name) {
  const auto found = all().find(name);
  return found != all().end() ? found->second.traits : traits_of_family(name);
}

refusal refusal_for(StringRef callee) {
  const auto found = all().find(callee);
  return {found == all().end() ? reason::calls : found->second.in_loop, callee};
}

}  // namespace takt_plugin
