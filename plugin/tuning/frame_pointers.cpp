#include "tuning/frame_pointers.hpp"

#include "tuning/tuning.hpp"

#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace takt_plugin {

using namespace llvm;

void keep_frame_pointer(Function& function) {
  if (!frame_pointers_switch || function.hasOptNone()) return;
  if (Triple(function.getParent()->getTargetTriple()).getArch() != Triple::x86_64) return;
  function.addFnAttr("frame-pointer", "all");
}

}  // namespace takt_plugin
