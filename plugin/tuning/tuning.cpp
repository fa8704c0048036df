#include "tuning.hpp"

#include "tuning/landings.hpp"
#include "tuning/rows.hpp"
#include "tuning/sums.hpp"
#include "tuning/unasked.hpp"

#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace takt_plugin {

using namespace llvm;

namespace {

cl::opt<bool> frame_pointers_switch("takt-frame-pointers", cl::init(true),
                                    cl::desc("Where loops walk arrays, rbp stays the frame pointer"));
cl::opt<bool> landings_switch("takt-landings", cl::init(true), cl::desc("Put landing pads into functions apart"));
cl::opt<bool> rows_switch("takt-rows", cl::init(true), cl::desc("Copy rows of free loops that ask nothing"));
cl::opt<bool> sums_switch("takt-sums", cl::init(true), cl::desc("Add in any order, vectorise and split reductions"));
cl::opt<bool> unasked_switch("takt-unasked", cl::init(true), cl::desc("Ask at every second level of a recursion"));

}  // namespace

void add_tuning(PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
    if (sums_switch) passes.addPass(unroll_sums());
    if (rows_switch) passes.addPass(free_rows());
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
    if (level == OptimizationLevel::O0) return;
    passes.addPass(drop_unasked());
    if (landings_switch) passes.addPass(landings_apart());
    if (level.getSpeedupLevel() > 1 && sums_switch) passes.addPass(createModuleToFunctionPassAdaptor(split_sums()));
  });
  builder.registerLateLoopOptimizationsEPCallback([](LoopPassManager& passes, OptimizationLevel level) {
    if (level.getSpeedupLevel() > 1 && sums_switch) passes.addPass(keep_sums_rolled());
  });
}

bool tune(Module& module) { return unasked_switch && ask_every_second_level(module); }

void keep_frame_pointer(Function& function) {
  if (!frame_pointers_switch || function.hasOptNone()) return;
  if (Triple(function.getParent()->getTargetTriple()).getArch() != Triple::x86_64) return;
  function.addFnAttr("frame-pointer", "all");
}

void add_in_any_order(const region& copy) {
  if (sums_switch) allow_any_order(copy);
}


}  // namespace takt_plugin
