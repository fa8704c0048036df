// libtakt-plugin.so: OpenMP loops become takt loops, at the start of the pass pipeline. See README.md beside this file.
#include "forks/forks.hpp"
#include "forks/frames.hpp"
#include "forks/landings.hpp"
#include "forks/unasked.hpp"
#include "loops/places.hpp"
#include "loops/recognition.hpp"
#include "loops/rewriting.hpp"
#include "loops/rows.hpp"
#include "loops/sums.hpp"
#include "loops/surroundings.hpp"
#include "openmp/calls.hpp"
#include "openmp/mended.hpp"
#include "openmp/region.hpp"
#include "pass/locks.hpp"
#include "reach/reach.hpp"
#include "tasks/task_records.hpp"
#include "tasks/task_regions.hpp"
#include "teams/gathered.hpp"
#include "teams/teams.hpp"
#include "teams/variables.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <map>
#include <set>

namespace takt_plugin {
namespace {

using namespace llvm;

/// With -g, Clang splits an outlined function in two: one with the code, and one that calls it.
void join_debug_wrappers(Module& module) {
  for (const site& s : find_sites(module)) {
    CallInst* inner = nullptr;
    for (auto* call : calls_in<CallInst>(instructions(*s.outlined))) {
      if (!name_of(*call).contains("_debug__")) continue;
      if (!name_of(*call).contains(".omp_outlined")) continue;
      inner = call;
    }
    if (inner == nullptr || !inner->getCalledFunction()->hasOneUse()) continue;
    Function* code = inner->getCalledFunction();
    code->removeFnAttr(Attribute::NoInline);
    InlineFunctionInfo info;
    if (InlineFunction(*inner, info).isSuccess() && code->use_empty()) code->eraseFromParent();
  }
}

/// Clang leaves blocks that nothing leads to, as in both loops that it makes of one with a scan.
void drop_unreachable(Module& module) {
  for (const site& s : find_sites(module)) EliminateUnreachableBlocks(*s.outlined);
}

// Clang has called this since version 19.
constexpr bool k_ends_are_called = LLVM_VERSION_MAJOR >= 19;

/// Puts in the call with which later versions of Clang end a loop that asks for its chunks.
void mark_ends_of_dispatch(Module& module) {
  for (StringRef name : {kmpc::dispatch_next_4, kmpc::dispatch_next_4u, kmpc::dispatch_next_8, kmpc::dispatch_next_8u}) {
    Function* next = module.getFunction(name);
    if (next == nullptr) continue;
    for (User* user : next->users()) {
      auto* call = dyn_cast<CallInst>(user);
      auto* test = call == nullptr || !call->hasOneUse() ? nullptr : dyn_cast<ICmpInst>(*call->user_begin());
      auto* branch = test == nullptr || !test->hasOneUse() ? nullptr : dyn_cast<BranchInst>(*test->user_begin());
      if (branch == nullptr || !branch->isConditional() || test->getPredicate() != CmpInst::ICMP_NE) continue;
      BasicBlock* after = branch->getSuccessor(1);
      if (after->getSinglePredecessor() == nullptr) continue;
      IRBuilder<> b(&*after->getFirstInsertionPt());
      b.SetCurrentDebugLocation(call->getDebugLoc());
      Type* types[] = {call->getArgOperand(0)->getType(), call->getArgOperand(1)->getType()};
      FunctionCallee end =
          module.getOrInsertFunction(kmpc::dispatch_deinit, FunctionType::get(b.getVoidTy(), types, false));
      b.CreateCall(end, {call->getArgOperand(0), call->getArgOperand(1)});
    }
  }
}

/// Where the loop stays with the OpenMP runtime of such a version, there is no such call.
void drop_ends_of_dispatch(Module& module) {
  Function* end = module.getFunction(kmpc::dispatch_deinit);
  if (end == nullptr) return;
  for (User* user : make_early_inc_range(end->users())) cast<Instruction>(user)->eraseFromParent();
  end->eraseFromParent();
}

/// Puts the entries into the code around them. LLVM's own pass for that computes first how often each block runs: 1% of
/// all the time that a file takes.
void inline_entries(Module& module) {
  for (Function& entry : make_early_inc_range(module)) {
    if (!entry.hasFnAttribute(k_entry) || !entry.hasFnAttribute(Attribute::AlwaysInline)) continue;
    for (User* user : make_early_inc_range(entry.users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != &entry) continue;
      InlineFunctionInfo info;
      InlineFunction(*call, info, true);
    }
    if (entry.use_empty()) entry.eraseFromParent();
  }
}

bool has_locks(Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    auto* call = dyn_cast<CallBase>(&instruction);
    return call != nullptr && is_lock_or_fence(name_of(*call));
  });
}

struct plan {
  site where;
  region found;
  refusal stays;  ///< with the OpenMP runtime
  bool open = false;
};

class takt_openmp : public PassInfoMixin<takt_openmp> {
 public:
  /// `inlines`: the entries disappear in the code around them.
  explicit takt_openmp(OptimizationLevel level, bool inlines = false)
      : optimise_(level != OptimizationLevel::O0), inlines_(inlines && optimise_) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    PreservedAnalyses kept = convert_openmp(module, analyses);
    // Behind that, which sees the functions as Clang made them.
    if (!optimise_) return kept;
    const bool forks = ask_forks_once(module);
    return ask_every_second_level(module) || forks ? PreservedAnalyses::none() : kept;
  }

 private:
  PreservedAnalyses convert_openmp(Module& module, ModuleAnalysisManager& analyses) {
    join_debug_wrappers(module);
    const bool mended = mend(module);
    drop_unreachable(module);
    mark_ragged(module);
    if (!k_ends_are_called) mark_ends_of_dispatch(module);
    promise_words(module);
    gathered_ = gather_constructs(module);
    const bool has_tasks = convert_tasks(module, analyses);
    if (module.getFunction(kmpc::fork_call) == nullptr) {
      drop_originals();
      const bool told = tell_of_locks(module);
      return announce_identity(module) || has_tasks || told || mended ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    decide(module, analyses);
    announce_identity(module);
    std::vector<candidate> loops;
    for (const plan& p : plans_) {
      if (!p.stays) loops.push_back({&p.where, &p.found, p.open, teams_.contains(p.where.outlined)});
    }
    places_ = find_places(loops, optimise_);
    for (plan& p : plans_) {
      if (!p.stays) {
        remark_converted(p);
      } else {
        remark_refused(p);
      }
    }
    std::set<const Function*> done;
    with_locks_.insert(in_tasks_.begin(), in_tasks_.end());
    use_locks_of_this_thread(module, with_locks_);
    tell_of_locks(module);
    for (plan& p : plans_) convert_inner_first(p, done);
    // Without optimisation, nobody else would.
    for (plan& p : plans_) {
      if (!p.stays) erase_region(*p.where.outlined, teams_);
    }
    announce_ends(module);
    drop_thread_numbers(module);
    if (!k_ends_are_called) drop_ends_of_dispatch(module);
    // Before anything is simplified by itself: a loop is then optimised as part of the code around it.
    if (inlines_ && !loops.empty()) inline_entries(module);
    return PreservedAnalyses::none();
  }

  /// First of all: what follows sees the copies in which tasks are frames, and calls where regions were.
  bool convert_tasks(Module& module, ModuleAnalysisManager& analyses) {
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    const auto libraries = [&](Function& f) -> const TargetLibraryInfo& {
      return functions.getResult<TargetLibraryAnalysis>(f);
    };
    const task_regions made = convert_task_regions(module, libraries, optimise_, split_regions_with_tasks(module));
    left_.insert(made.left.begin(), made.left.end());
    in_tasks_ = made.with_locks;
    if (module.getFunction(kmpc::fork_call) == nullptr) use_locks_of_this_thread(module, in_tasks_);
    return made.changed;
  }

  /// Regions that have loops and make tasks. One inside another region would move when that is split, and stays.
  task_pieces split_regions_with_tasks(Module& module) {
    task_pieces all;
    if (!has_latent_frames(module)) return all;
    const task_code code([](Function&, Function&) { return false; });
    const std::vector<site> sites = find_sites(module);
    std::vector<site> wanted;
    for (const site& s : sites) {
      if (s.outlined->isDeclaration() || !has_loops(*s.outlined) || !code.reaches_tasks(*s.outlined)) continue;
      const bool is_inside = std::any_of(sites.begin(), sites.end(),
                                         [&](const site& other) { return other.outlined == s.fork->getFunction(); });
      if (!is_inside) wanted.push_back(s);
    }
    for (const site& s : wanted) {
      team made;
      std::vector<task_piece> pieces;
      refusal why = split_region_with_tasks(s, made, code, pieces);
      if (why) left_[s.outlined] = why;
      if (made.original != nullptr) teams_[s.outlined] = made;
      if (!pieces.empty()) all[s.outlined] = pieces;
    }
    return all;
  }

  /// A function of takt's that only a program has which links takt.
  static FunctionCallee weak_function(Module& module, StringRef name) {
    FunctionCallee function = module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()));
    cast<Function>(function.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
    return function;
  }

  /// Each thread of a region that is left to the OpenMP runtime says when it is done with it, as takt may use the CPUs
  /// next. Not in regions inside others of it.
  static void announce_ends(Module& module) {
    MapVector<Function*, SmallVector<Function*>> kept;
    for (Function& function : module) {
      for (auto* call : calls_in<CallInst>(instructions(function))) {
        if (name_of(*call) != kmpc::fork_call) continue;
        auto* region = dyn_cast<Function>(call->getArgOperand(2)->stripPointerCasts());
        if (region != nullptr && !region->isDeclaration()) kept[region].push_back(&function);
      }
    }
    for (const auto& [region, callers] : kept) {
      if (all_of(callers, [&](Function* around) { return kept.contains(around); })) continue;
      SmallVector<ReturnInst*> ends;
      for (BasicBlock& block : *region) {
        if (auto* end = dyn_cast<ReturnInst>(block.getTerminator())) ends.push_back(end);
      }
      for (ReturnInst* end : ends) {
        FunctionCallee tell = weak_function(module, "takt_omp_kept_ends");
        IRBuilder<> b(end);
        Value* present = b.CreateIsNotNull(tell.getCallee());
        b.SetInsertPoint(SplitBlockAndInsertIfThen(present, end, false));
        b.SetCurrentDebugLocation(end->getDebugLoc());
        b.CreateCall(tell)->setDoesNotThrow();
      }
    }
  }

  static bool announce_identity(Module& module) {
    if (!offers_identity(module)) return false;
    LLVMContext& context = module.getContext();
    FunctionCallee matter = weak_function(module, "takt_omp_threads_matter");
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
    return true;
  }

  /// Regions are split before it is known whether all of their loops can be converted; those where one cannot are put
  /// back, and everything is looked at again.
  void decide(Module& module, ModuleAnalysisManager& analyses) {
    do {
      split_regions(module);
      look_at_all(module, analyses);
    } while (put_back(module) || take_apart());
    drop_originals();
    for (plan& p : plans_) {
      auto made = teams_.find(p.where.outlined);
      if (made == teams_.end() || p.open) continue;
      Function* original = made->second.original;
      made->second.original = nullptr;
      erase_region(*original, teams_);
    }
  }

  std::vector<site> all_sites(Module& module) const {
    std::set<const Function*> awake;
    for (auto& [outlined, made] : teams_) awake.insert(made.serial);
    std::vector<site> sites = find_sites(module, awake);
    for (site& s : sites) {
      auto made = teams_.find(s.outlined);
      if (made != teams_.end() && made->second.serial != nullptr) find_serial(s, *made->second.serial);
    }
    return sites;
  }

  /// Whether a region was split into it and others.
  bool is_part(Function& loop) const {
    return std::any_of(teams_.begin(), teams_.end(), [&](const auto& known) {
      const auto& loops = known.second.loops;
      return std::find(loops.begin(), loops.end(), &loop) != loops.end();
    });
  }

  /// Outer regions first: splitting one moves what it contains, so that those inside wait for the next round.
  void split_regions(Module& module) {
    for (bool again = true; again;) {
      again = false;
      const std::vector<site> sites = all_sites(module);
      std::map<const Function*, refusal> open;
      for (const site& s : sites) {
        if (teams_.contains(s.outlined) || left_.contains(s.outlined) || with_epilogue_.contains(s.outlined)) continue;
        region whole;
        refusal why = recognise(s, sites, whole);
        // One thread of a team of one has the effects beside a loop once, and comes to the loop as often as it stands
        // there. What still has them then would for ever.
        const bool is_more = (why == reason::effects_beside || why == reason::comes_again) && !is_part(*s.outlined);
        if (is_more || (why && may_be_split(*s.outlined))) open[s.outlined] = why;
      }
      std::map<const Function*, const Function*> around;
      for (const site& s : sites) around[s.outlined] = s.fork->getFunction();
      // At any depth: the copy that is kept has copies of all that is inside.
      const auto is_inner = [&](const site& s) {
        const Function* at = s.fork->getFunction();
        while (!open.contains(at)) {
          auto next = around.find(at);
          if (next == around.end()) return false;
          at = next->second;
        }
        return true;
      };
      std::vector<const site*> outer;
      for (const site& s : sites) {
        if (open.contains(s.outlined) && !is_inner(s)) outer.push_back(&s);
      }
      for (const site* s : outer) {
        team made;
        refusal why = split_region(*s, made);
        if (!why) {
          teams_[s->outlined] = made;
        } else {
          leave_or_part(*s, sites, may_be_split(*s->outlined) ? why : open[s->outlined]);
        }
        again = true;
      }
    }
  }

  /// A region that cannot be split, which is why it would stay: not if each who takes part in its loop may do what
  /// follows.
  void leave_or_part(const site& s, const std::vector<site>& sites, const refusal& why) {
    region whole;
    const refusal of_loop = recognise(s, sites, whole, true);
    if (!of_loop) {
      with_epilogue_.insert(s.outlined);
    } else {
      const bool is_more =
          of_loop == reason::barrier_before_effects && (why == reason::effects_beside || why == reason::effects_beside_loops);
      left_[s.outlined] = is_more ? of_loop : why;
    }
  }

  void look_at_all(Module& module, ModuleAnalysisManager& analyses) {
    plans_.clear();
    atomic_ways_.clear();
    sites_ = all_sites(module);
    for (const site& s : sites_) {
      plan p{s, {}, {}, false};
      if (auto left = left_.find(s.outlined); left != left_.end()) {
        p.stays = left->second;
      } else if (!teams_.contains(s.outlined)) {
        p.stays = recognise(s, sites_, p.found, with_epilogue_.contains(s.outlined));
      }
      atomic_ways_.insert(p.found.atomic_way.begin(), p.found.atomic_way.end());
      plans_.push_back(std::move(p));
    }
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    // One loop that stays may be why others do.
    for (bool again = true; again;) {
      again = false;
      reach_analysis reach(
          sites_, atomic_ways_, [this](const CallInst& fork) { return stays(fork); },
          [&](Function& f) -> const TargetLibraryInfo& { return functions.getResult<TargetLibraryAnalysis>(f); });
      for (plan& p : plans_) {
        if (p.stays) continue;
        reached r = reach.from(*p.where.outlined);
        p.open = r.open;
        p.stays = r.why;
        again |= bool(p.stays);
      }
      with_locks_ = reach.with_locks();
    }
    // A copy for a team of one is reached by nothing: what it calls is what the other copy calls.
    for (auto& [outlined, made] : teams_) {
      if (made.serial != nullptr && has_locks(*made.serial)) with_locks_.insert(made.serial);
    }
  }

  /// @returns whether there were regions to put back.
  bool put_back(Module& module) {
    std::vector<std::pair<Function*, refusal>> all;
    for (auto& [outlined, made] : teams_) {
      // A loop's reason says more than that of the region, which may be just that.
      refusal why;
      // What its pieces with tasks are kept for was known before the loops were looked at.
      if (auto left = left_.find(outlined); left != left_.end()) {
        all.emplace_back(outlined, left->second);
        continue;
      }
      for (const plan& p : plans_) {
        const bool is_loop = std::find(made.loops.begin(), made.loops.end(), p.where.outlined) != made.loops.end();
        if (p.stays && (is_loop || (p.where.outlined == outlined && !why))) why = p.stays;
      }
      if (why) all.emplace_back(outlined, why);
    }
    for (auto& [outlined, why] : all) {
      // It may have gone with one around it.
      if (!teams_.contains(outlined)) continue;
      gathered_region* gathered = gathered_of(outlined);
      Function* original = undo_split(*outlined, teams_);
      if (gathered != nullptr) gathered->outlined = original;
      const std::vector<site> sites = all_sites(module);
      const auto found = find_if(sites, [&](const site& s) { return s.outlined == original; });
      if (found == sites.end()) {
        left_[original] = why;
      } else {
        leave_or_part(*found, sites, why);
      }
    }
    return !all.empty();
  }

  gathered_region* gathered_of(const Function* outlined) {
    auto found = std::find_if(gathered_.begin(), gathered_.end(),
                              [outlined](const gathered_region& g) { return g.outlined == outlined; });
    return found == gathered_.end() ? nullptr : &*found;
  }

  void drop_originals() {
    for (gathered_region& g : gathered_) {
      if (g.original != nullptr) erase_region(*g.original, teams_);
    }
    gathered_.clear();
  }

  /// A region that stays is what Clang made it, without the functions that were put into it.
  /// @returns whether there were such regions.
  bool take_apart() {
    std::vector<std::pair<gathered_region*, refusal>> all;
    for (const plan& p : plans_) {
      gathered_region* gathered = !p.stays ? nullptr : gathered_of(p.where.outlined);
      if (gathered != nullptr) all.emplace_back(gathered, p.stays);
    }
    for (auto& [gathered, why] : all) {
      // It may have gone with one around it.
      if (gathered->outlined == nullptr) continue;
      auto* outlined = cast<Function>(gathered->outlined);
      gathered->original->takeName(outlined);
      outlined->replaceAllUsesWith(gathered->original);
      left_.erase(outlined);
      left_[gathered->original] = why;
      gathered->original = nullptr;
      erase_region(*outlined, teams_);
    }
    return !all.empty();
  }

  bool stays(const CallInst& fork) const {
    for (const plan& p : plans_) {
      if (p.where.fork == &fork) return bool(p.stays);
    }
    return true;
  }

  /// A loop inside an outlined function is converted before copies are made of that function.
  void convert_inner_first(plan& p, std::set<const Function*>& done) {
    if (!done.insert(p.where.outlined).second) return;
    for (plan& inner : plans_) {
      if (!inner.stays && inner.where.fork != nullptr && !done.contains(inner.where.outlined) &&
          inner.where.fork->getFunction() == p.where.outlined) {
        convert_inner_first(inner, done);
      }
    }
    if (p.stays) return;
    if (auto made = teams_.find(p.where.outlined); made != teams_.end()) {
      start_team(p.where, made->second, p.open);
      p.where.fork = nullptr;
      return;
    }
    keep_frame_pointer(*p.where.fork->getFunction());
    const Function* outlined = p.where.outlined;
    convert(p.where, p.found,
            {p.open, optimise_ && !outlined->hasOptNone(), &atomic_ways_, places_.nesting.contains(outlined),
             places_.middle.contains(outlined), places_.shared.contains(outlined), places_.plain.contains(outlined),
             !places_.plain.contains(outlined) && (p.found.has_epilogue || is_dear_to_begin(p.found))});
    p.where.fork = nullptr;
  }

  /// Asked for at the start of functions, for num_threads and if; nobody needs the answer any more.
  static void drop_thread_numbers(Module& module) {
    Function* number = module.getFunction(kmpc::global_thread_num);
    if (number == nullptr) return;
    for (User* user : make_early_inc_range(number->users())) {
      auto* call = dyn_cast<CallInst>(user);
      if (call != nullptr && call->use_empty()) call->eraseFromParent();
    }
  }

  void remark_converted(const plan& p) const {
    const Function* around = p.where.fork->getFunction();
    // Said once, of the loop that may run in parallel.
    for (auto& [outlined, made] : teams_) {
      if (made.serial == around) return;
    }
    const bool is_team = teams_.contains(p.where.outlined);
    OptimizationRemarkEmitter emitter(around);
    emitter.emit([&] {
      OptimizationRemark remark("takt", "Converted", p.where.fork);
      const bool has_tasks = is_team && teams_.at(p.where.outlined).has_tasks;
      remark << (has_tasks
                     ? "the parallel region runs as a team of one; its loops became takt loops, its tasks latent frames"
                 : is_team ? "the parallel region runs as a team of one; its loops became takt loops"
                 : places_.plain.contains(p.where.outlined)
                     ? "the parallel loop became a plain loop: it is inside another one, and always short"
                     : "the parallel loop became a takt loop");
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
      OptimizationRemarkMissed remark("takt", "Left", p.where.fork);
      remark << "the parallel region stays with the OpenMP runtime: " << p.stays.text();
      if (p.stays.place()) remark << " (line " << std::to_string(p.stays.place().getLine()) << ")";
      remark << ". " << advice_for(p.stays.why());
      return remark;
    });
  }

  bool optimise_;
  bool inlines_;
  gathered_regions gathered_;
  team_map teams_;
  std::map<const Function*, refusal> left_;  // why they are not split
  std::set<const Function*> with_epilogue_;      // whose loop has one
  std::set<Function*> in_tasks_;                 // copies with critical sections
  std::set<Function*> with_locks_;
  std::vector<site> sites_;
  std::vector<plan> plans_;
  block_set atomic_ways_;
  places places_;
};

}  // namespace
}  // namespace takt_plugin

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "takt", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              passes.addPass(takt_plugin::takt_openmp(level, true));
            });
            builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
              passes.addPass(takt_plugin::unroll_sums());
              passes.addPass(takt_plugin::free_rows());
            });
            builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              if (level == llvm::OptimizationLevel::O0) return;
              passes.addPass(takt_plugin::drop_unasked());
              passes.addPass(takt_plugin::landings_apart());
              if (level.getSpeedupLevel() < 2) return;
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(takt_plugin::split_sums()));
            });
            builder.registerLateLoopOptimizationsEPCallback(
                [](llvm::LoopPassManager& passes, llvm::OptimizationLevel level) {
                  if (level.getSpeedupLevel() > 1) passes.addPass(takt_plugin::keep_sums_rolled());
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
