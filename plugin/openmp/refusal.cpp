#include "openmp/refusal.hpp"

#include <cstddef>

namespace takt_plugin {

using namespace llvm;

namespace {

struct entry {
  StringLiteral name;
  StringLiteral text;
  StringLiteral advice;
};

constexpr entry k_refusals[] = {
    {"none", "", ""},
#define REFUSAL(id, text, advice) {#id, text, advice},
#include "openmp/refusals.def"
#undef REFUSAL
};

const entry& entry_of(reason why) { return k_refusals[static_cast<std::size_t>(why)]; }

}  // namespace

StringRef name_of(reason why) { return entry_of(why).name; }
StringRef advice_for(reason why) { return entry_of(why).advice; }

std::string refusal::text() const {
  const StringRef text = entry_of(why_).text;
  const std::size_t hole = text.find("{0}");
  return hole == StringRef::npos ? text.str() : (text.take_front(hole) + argument_ + text.drop_front(hole + 3)).str();
}

}  // namespace takt_plugin
