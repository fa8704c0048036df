// libtakt-plugin.so: OpenMP loops become takt loops, at the start of the pass pipeline. See README.md beside this file.
#include "reach.hpp"
#include "region.hpp"
#include "slices.hpp"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <set>

namespace takt_plugin {
namespace {

using namespace llvm;

/// With -g, Clang splits an outlined function in two: one with the code, and one that calls it.
void join_debug_wrappers(Module& module) {
  for (const site& s : find_sites(module)) {
    CallInst* inner = nullptr;
    for (Instruction& instruction : instructions(*s.outlined)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !name_of(*call).contains(".omp_outlined_debug__")) continue;
      inner = call;
    }
    if (inner == nullptr || !inner->getCalledFunction()->hasOneUse()) continue;
    Function* code = inner->getCalledFunction();
    code->removeFnAttr(Attribute::NoInline);
    InlineFunctionInfo info;
    if (InlineFunction(*inner, info).isSuccess() && code->use_empty()) code->eraseFromParent();
  }
}

struct plan {
  site where;
  region found;
  std::string refusal;
  bool open = false;
};

class takt_openmp : public PassInfoMixin<takt_openmp> {
 public:
  explicit takt_openmp(OptimizationLevel level) : optimise_(level != OptimizationLevel::O0) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    bool changed = false;
    if (offers_identity(module)) {
      FunctionCallee matter =
          module.getOrInsertFunction("takt_omp_threads_matter", Type::getVoidTy(module.getContext()));
      // Only a program that links takt has the function.
      cast<Function>(matter.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
      announce_identity(module, matter);
      changed = true;
    }
    if (module.getFunction("__kmpc_fork_call") == nullptr) {
      return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    join_debug_wrappers(module);
    decide(module, analyses);
    for (plan& p : plans_) {
      if (p.refusal.empty()) {
        remark_converted(p);
      } else {
        remark_refused(p);
      }
    }
    std::set<const Function*> done;
    for (plan& p : plans_) convert_inner_first(p, done);
    drop_thread_numbers(module);
    return PreservedAnalyses::none();
  }

 private:
  static void announce_identity(Module& module, FunctionCallee matter) {
    LLVMContext& context = module.getContext();
    auto* type = FunctionType::get(Type::getVoidTy(context), false);
    auto* tell = Function::Create(type, GlobalValue::InternalLinkage, "takt.threads_matter", module);
    auto* entry = BasicBlock::Create(context, "", tell);
    auto* call = BasicBlock::Create(context, "", tell);
    auto* end = BasicBlock::Create(context, "", tell);
    Value* present = CmpInst::Create(Instruction::ICmp, CmpInst::ICMP_NE, matter.getCallee(),
                                     ConstantPointerNull::get(PointerType::getUnqual(context)), "", entry);
    BranchInst::Create(call, end, present, entry);
    CallInst::Create(matter, "", call);
    BranchInst::Create(end, call);
    ReturnInst::Create(context, end);
    appendToGlobalCtors(module, tell, 0);
  }

  void decide(Module& module, ModuleAnalysisManager& analyses) {
    sites_ = find_sites(module);
    for (const site& s : sites_) {
      plan p{s, {}, {}, false};
      p.refusal = recognise(s, sites_, p.found);
      atomic_ways_.insert(p.found.atomic_way.begin(), p.found.atomic_way.end());
      plans_.push_back(std::move(p));
    }
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    reach_analysis reach(
        sites_, [this](const CallInst& fork) { return stays(fork); },
        [&](Function& f) -> const TargetLibraryInfo& { return functions.getResult<TargetLibraryAnalysis>(f); });
    // One loop that stays may be why others do.
    for (bool again = true; again;) {
      again = false;
      for (plan& p : plans_) {
        if (!p.refusal.empty()) continue;
        reached r = reach.from(*p.where.outlined);
        p.open = r.open;
        p.refusal = r.refusal;
        again |= !p.refusal.empty();
      }
    }
  }

  bool stays(const CallInst& fork) const {
    for (const plan& p : plans_) {
      if (p.where.fork == &fork) return !p.refusal.empty();
    }
    return true;
  }

  /// A loop inside an outlined function is converted before copies are made of that function.
  void convert_inner_first(plan& p, std::set<const Function*>& done) {
    if (!done.insert(p.where.outlined).second) return;
    for (plan& inner : plans_) {
      if (inner.refusal.empty() && inner.where.fork != nullptr && !done.contains(inner.where.outlined) &&
          inner.where.fork->getFunction() == p.where.outlined) {
        convert_inner_first(inner, done);
      }
    }
    if (!p.refusal.empty()) return;
    convert(p.where, p.found, {p.open, optimise_ && !p.where.outlined->hasOptNone(), &atomic_ways_});
    p.where.fork = nullptr;
  }

  /// Asked for at the start of functions, for num_threads and if; nobody needs the answer any more.
  static void drop_thread_numbers(Module& module) {
    Function* number = module.getFunction("__kmpc_global_thread_num");
    if (number == nullptr) return;
    for (User* user : make_early_inc_range(number->users())) {
      auto* call = dyn_cast<CallInst>(user);
      if (call != nullptr && call->use_empty()) call->eraseFromParent();
    }
  }

  static void remark_converted(const plan& p) {
    OptimizationRemarkEmitter emitter(p.where.fork->getFunction());
    emitter.emit([&] {
      OptimizationRemark remark("takt", "Converted", p.where.fork);
      remark << "the parallel loop became a takt loop";
      if (p.where.push_threads != nullptr) remark << "; num_threads is ignored unless it is 1";
      if (p.open) {
        remark
            << "; it calls code of other files, and stays with the OpenMP runtime if such code looks at the number of "
               "its thread";
      }
      return remark;
    });
  }

  static void remark_refused(const plan& p) {
    OptimizationRemarkEmitter emitter(p.where.fork->getFunction());
    emitter.emit([&] {
      return OptimizationRemarkMissed("takt", "Left", p.where.fork)
             << "the parallel region stays with the OpenMP runtime: " << p.refusal;
    });
  }

  bool optimise_;
  std::vector<site> sites_;
  std::vector<plan> plans_;
  block_set atomic_ways_;
};

}  // namespace
}  // namespace takt_plugin

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "takt", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              passes.addPass(takt_plugin::takt_openmp(level));
            });
            // For opt, which has no levels.
            builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                       llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
              if (name != "takt-openmp") return false;
              passes.addPass(takt_plugin::takt_openmp(llvm::OptimizationLevel::O1));
              return true;
            });
          }};
}
