// In place of the room tuning/.
#include "tuning.hpp"

namespace takt_plugin {

using namespace llvm;

void add_tuning(PassBuilder& /*builder*/) {}
bool tune(Module& /*module*/) { return false; }
void keep_frame_pointer(Function& /*function*/) {}
void add_in_any_order(const region& /*copy*/) {}
void mark_free_bound(LoadInst& /*load*/, bool /*negative*/) {}
void mark_run_here(CallInst& /*run*/) {}

}  // namespace takt_plugin
