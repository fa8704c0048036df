// libtakt-plugin.so: OpenMP loops become takt loops, at the start of the pass pipeline. See README.md beside this file.
#include "forks/forks.hpp"
#include "forks/frames.hpp"
#include "loops/places.hpp"
#include "loops/recognition.hpp"
#include "loops/rewriting.hpp"
#include "loops/surroundings.hpp"
#include "openmp/calls.hpp"
#include "openmp/cancellation.hpp"
#include "openmp/mended.hpp"
#include "openmp/region.hpp"
#include "pass/announcements.hpp"
#include "pass/clang_versions.hpp"
#include "pass/locks.hpp"
#include "reach/reach.hpp"
#include "tasks/task_records.hpp"
#include "tasks/task_regions.hpp"
#include "teams/gathered.hpp"
#include "teams/teams.hpp"
#include "teams/variables.hpp"
#include "tuning.hpp"

#include <llvm/ADT/Statistic.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueMap.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#define DEBUG_TYPE "takt"

namespace takt_plugin {
namespace {

using namespace llvm;

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
  return any_of(calls_in(instructions(function)), [](CallBase* call) { return is_lock_or_fence(name_of(*call)); });
}

// For bisecting: what may be left out.
cl::opt<bool> gather_switch("takt-gather", cl::init(true), cl::desc("Put functions with constructs into regions"));
cl::opt<bool> tasks_switch("takt-tasks", cl::init(true), cl::desc("Convert tasks"));
cl::opt<bool> teams_switch("takt-teams", cl::init(true), cl::desc("Split regions that are more than a loop"));
cl::opt<bool> epilogues_switch("takt-epilogues", cl::init(true), cl::desc("Convert loops with an epilogue"));
cl::opt<bool> places_switch("takt-places", cl::init(true), cl::desc("Leave short inner loops plain, share slices"));
cl::opt<bool> inline_switch("takt-inline", cl::init(true), cl::desc("Put entries of loops into the code around them"));
cl::opt<bool> forks_switch("takt-forks", cl::init(true), cl::desc("Ask once whether a function's forks are free"));
cl::opt<unsigned> regions_switch("takt-regions", cl::desc("Convert only so many regions of a file"));
cl::opt<bool> verdicts_switch("takt-verdicts-only", cl::desc("Only decide what would be converted"));

ALWAYS_ENABLED_STATISTIC(converted_loops, "Loops that became takt loops");
ALWAYS_ENABLED_STATISTIC(converted_teams, "Regions that run as a team of one");
ALWAYS_ENABLED_STATISTIC(converted_conditionally, "Of these, regions that stay if other files look at threads");
TrackingStatistic stayed[] = {
    {DEBUG_TYPE, "stayed_none", ""},
#define REFUSAL(id, text, advice) {DEBUG_TYPE, "stayed_" #id, "Regions that stay: " text},
#include "openmp/refusals.def"
#undef REFUSAL
};

struct plan {
  site where;
  region found;
  refusal stays;  ///< with the OpenMP runtime
  bool open = false;
};

/// What is known of regions before they are rewritten, by their keys: see attempt::key_of().
struct decisions {
  std::map<std::string, refusal> left;       ///< these stay
  std::map<std::string, refusal> not_split;  ///< these cannot be split, or have a loop that stays
  std::set<std::string> not_gathered;        ///< into these no functions are put
  std::size_t count() const { return left.size() + not_split.size() + not_gathered.size(); }
};

/// One walk through a module: what is to be tried by what is known so far, and what comes of it. See "Verdicts" in
/// README.md beside this file.
class attempt {
 public:
  attempt(Module& module, FunctionAnalysisManager& analyses, decisions& known, bool optimise)
      : module_(module), analyses_(analyses), known_(known), optimise_(optimise) {}

  /// Looks at all regions as they are. @returns whether nothing has to be rewritten for their loops and tasks to be looked
  /// at, so that all is known.
  bool read() {
    if (gather_switch && may_gather_constructs(module_, [](Function&) { return true; })) return false;
    if (tasks_switch && has_latent_frames(module_) && any_of(module_, [](const Function& f) {
          return is_task_call(f.getName()) || starts_once(f.getName());
        })) {
      return false;
    }
    split_regions(false);
    for (auto& [region, why] : failed_) known_.not_split.try_emplace(region, why);
    return open_.empty();
  }

  /// Rewrites regions as far as their loops and tasks can be looked at, and looks at all of them. `tells`: what becomes
  /// of tasks is remarked.
  void look(bool tells) {
    for (Function& function : module_) keys_[&function] = function.getName().str();
    if (gather_switch) {
      gathered_ = gather_constructs(
          module_, [this](Function& region) { return !known_.not_gathered.contains(key_of(region)); },
          [this](Function& region) { name_derived(region); });
    }
    if (tasks_switch) convert_tasks(tells);
    if (!has_regions()) return;
    split_regions(true);
    look_at_all();
    std::vector<candidate> loops;
    for (const plan& p : plans_) {
      if (!p.stays) loops.push_back({&p.where, &p.found, p.open, teams_.contains(p.where.outlined)});
    }
    if (places_switch) places_ = find_places(loops, optimise_);
  }

  /// What stays is known from here on. @returns whether that is more than was known: what has been split or gathered
  /// for it must not be.
  bool learn() {
    const std::size_t before = known_.count();
    for (auto& [outlined, made] : teams_) {
      // A loop's reason says more than that of the region, which may be just that; what its pieces with tasks are kept
      // for was known before the loops were looked at.
      refusal why;
      for (const plan& p : plans_) {
        const bool is_loop = std::find(made.loops.begin(), made.loops.end(), p.where.outlined) != made.loops.end();
        if (p.stays && (is_loop || (p.where.outlined == outlined && !why))) why = p.stays;
      }
      if (auto left = left_.find(outlined); left != left_.end()) why = left->second;
      if (why) known_.not_split.try_emplace(key_of(*outlined), why);
    }
    for (auto& [region, why] : failed_) known_.not_split.try_emplace(region, why);
    if (known_.count() != before) return true;
    for (const plan& p : plans_) {
      if (!p.stays || !gathered_.contains(p.where.outlined)) continue;
      known_.not_gathered.insert(key_of(*p.where.outlined));
      known_.left[key_of(*p.where.outlined)] = p.stays;
    }
    return known_.count() != before;
  }

  /// For -stats.
  void count() const {
    for (const plan& p : plans_) {
      if (p.stays) {
        ++stayed[static_cast<std::size_t>(p.stays.why())];
        continue;
      }
      ++(teams_.contains(p.where.outlined) ? converted_teams : converted_loops);
      if (p.open) ++converted_conditionally;
    }
  }

  void remark() const {
    for (const plan& p : plans_) {
      if (p.stays) {
        remark_refused(p);
      } else {
        remark_converted(p);
      }
    }
  }

  /// Converts what does not stay. @returns whether the module is another one now. `inlines`: the entries disappear in
  /// the code around them.
  bool convert(bool inlines) {
    if (!has_regions()) {
      const bool told = tell_of_locks(module_);
      const bool announced = announce_identity(module_, {});
      return ask_each_time(module_) || announced || told || changed_;
    }
    for (plan& p : plans_) {
      auto made = teams_.find(p.where.outlined);
      if (made == teams_.end() || p.open) continue;
      erase_region(*std::exchange(made->second.original, nullptr), teams_);
    }
    announce_identity(module_, numbers_if([](const plan& p) { return !p.stays; }));
    ask_each_time(module_);
    std::set<const Function*> done;
    with_locks_.insert(in_tasks_.begin(), in_tasks_.end());
    use_locks_of_this_thread(module_, with_locks_);
    tell_of_locks(module_);
    for (plan& p : plans_) convert_inner_first(p, done);
    // Without optimisation, nobody else would.
    for (plan& p : plans_) {
      if (!p.stays) erase_region(*p.where.outlined, teams_);
    }
    announce_ends(module_);
    drop_thread_numbers(module_);
    drop_ends_of_dispatch(module_);
    // Before anything is simplified by itself: a loop is then optimised as part of the code around it.
    if (inlines && any_of(plans_, [](const plan& p) { return !p.stays; })) inline_entries(module_);
    return true;
  }

 private:
  bool has_regions() const { return module_.getFunction(kmpc::fork_call) != nullptr; }

  /// What a region is called in each copy of a module: a function that Clang made by its name, one that comes of
  /// another by that one's, and by its place there.
  std::string key_of(const Function& region) const {
    const auto known = keys_.find(&region);
    return known == keys_.end() ? region.getName().str() : known->second;
  }

  /// The regions in `around` that are copies.
  void name_derived(Function& around) {
    unsigned place = 0;
    for (auto* call : calls_in(instructions(around))) {
      Function* const region = started_by(*call);
      if (region == nullptr) continue;
      ++place;
      if (keys_.count(region) != 0) continue;
      keys_[region] = key_of(around) + "/" + std::to_string(place);
      name_derived(*region);
    }
  }
  void add_team(Function& outlined, const team& made) {
    teams_[&outlined] = made;
    const std::string key = key_of(outlined);
    for (std::size_t i = 0; i < made.loops.size(); ++i) keys_[made.loops[i]] = key + ".for" + std::to_string(i);
    if (made.serial != nullptr) keys_[made.serial] = key + ".serial";
    for (Function* loop : made.loops) name_derived(*loop);
    if (made.serial != nullptr) name_derived(*made.serial);
  }

  /// Why a region stays, as far as that is known; null: it is not.
  const refusal* left_for(const Function& region) const {
    if (auto here = left_.find(&region); here != left_.end()) return &here->second;
    auto known = known_.left.find(key_of(region));
    return known == known_.left.end() ? nullptr : &known->second;
  }
  bool may_be_tried(const Function& region) const {
    return left_for(region) == nullptr && !known_.not_split.contains(key_of(region));
  }

  /// First of all: what follows sees the copies in which tasks are frames, and calls where regions were.
  void convert_tasks(bool tells) {
    const auto libraries = [this](Function& f) -> const TargetLibraryInfo& {
      return analyses_.getResult<TargetLibraryAnalysis>(f);
    };
    const task_regions made =
        convert_task_regions(module_, libraries, optimise_, split_regions_with_tasks(),
                             [this](const Function& region) { return may_be_tried(region); }, tells);
    left_.insert(made.left.begin(), made.left.end());
    in_tasks_ = made.with_locks;
    if (!has_regions()) use_locks_of_this_thread(module_, in_tasks_);
    changed_ |= made.changed;
  }

  /// Regions that have loops and make tasks. One inside another region would move when that is split, and stays.
  task_pieces split_regions_with_tasks() {
    task_pieces all;
    if (!has_latent_frames(module_) || !teams_switch) return all;
    const task_code code([](Function&, Function&) { return false; });
    const std::vector<site> sites = find_sites(module_);
    std::vector<site> wanted;
    for (const site& s : sites) {
      if (s.outlined->isDeclaration() || !may_be_tried(*s.outlined) || !has_loops(*s.outlined) ||
          !code.reaches_tasks(*s.outlined))
        continue;
      const bool is_inside = std::any_of(sites.begin(), sites.end(),
                                         [&](const site& other) { return other.outlined == s.fork->getFunction(); });
      if (!is_inside) wanted.push_back(s);
    }
    for (const site& s : wanted) {
      team made;
      std::vector<task_piece> pieces;
      refusal why = split_region_with_tasks(s, made, code, pieces);
      if (why) left_[s.outlined] = why;
      if (made.original != nullptr) add_team(*s.outlined, made);
      if (!pieces.empty()) all[s.outlined] = pieces;
    }
    return all;
  }

  std::vector<site> all_sites() const {
    std::set<const Function*> awake;
    for (auto& [outlined, made] : teams_) awake.insert(made.serial);
    std::vector<site> sites = find_sites(module_, awake);
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
  /// Unless it `rewrites`, those that may be split are noted.
  void split_regions(bool rewrites) {
    for (bool again = true; again;) {
      again = false;
      const std::vector<site> sites = all_sites();
      std::map<const Function*, refusal> open;
      for (const site& s : sites) {
        if (teams_.contains(s.outlined) || with_epilogue_.contains(s.outlined) || open_.contains(s.outlined)) continue;
        if (left_for(*s.outlined) != nullptr) continue;
        if (auto known = known_.not_split.find(key_of(*s.outlined)); known != known_.not_split.end()) {
          leave_or_part(s, sites, known->second);
          continue;
        }
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
        while (!open.contains(at) && !open_.contains(at)) {
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
        refusal why = !teams_switch ? reason::switched_off : rewrites ? split_region(*s, made) : check_region(*s);
        if (!why && rewrites) {
          add_team(*s->outlined, made);
        } else if (!why) {
          open_.insert(s->outlined);
        } else {
          if (!may_be_split(*s->outlined)) why = open[s->outlined];
          failed_.emplace_back(key_of(*s->outlined), why);
          leave_or_part(*s, sites, why);
        }
        again = true;
      }
    }
  }

  /// A region that cannot be split, which is why it would stay: not if each who takes part in its loop may do what
  /// follows.
  void leave_or_part(const site& s, const std::vector<site>& sites, const refusal& why) {
    region whole;
    const refusal of_loop = epilogues_switch ? recognise(s, sites, whole, true) : why;
    if (!of_loop) {
      with_epilogue_.insert(s.outlined);
    } else {
      const bool is_more =
          of_loop == reason::barrier_before_effects &&
          (why == reason::effects_beside || why == reason::effects_beside_loops);
      left_[s.outlined] = is_more ? of_loop : why;
    }
  }

  void look_at_all() {
    plans_.clear();
    atomic_ways_.clear();
    sites_ = all_sites();
    for (const site& s : sites_) {
      plan p{s, {}, {}, false};
      if (const refusal* left = left_for(*s.outlined)) {
        p.stays = *left;
      } else if (!teams_.contains(s.outlined)) {
        p.stays = recognise(s, sites_, p.found, with_epilogue_.contains(s.outlined));
        // Several loops of a region may count on the same thread's having the same iterations.
        if (is_part(*s.outlined)) p.found.numbers.clear();
      }
      atomic_ways_.insert(p.found.atomic_way.begin(), p.found.atomic_way.end());
      plans_.push_back(std::move(p));
    }
    const number_set numbers = numbers_if([](const plan&) { return true; });
    // One loop that stays may be why others do.
    for (bool again = true; again;) {
      again = false;
      reach_analysis reach(
          module_, sites_, atomic_ways_, numbers, [this](const CallInst& fork) { return stays(fork); },
          [this](Function& f) -> const TargetLibraryInfo& { return analyses_.getResult<TargetLibraryAnalysis>(f); });
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

  number_set numbers_if(function_ref<bool(const plan&)> wanted) const {
    number_set numbers;
    for (const plan& p : plans_) {
      if (wanted(p)) numbers.insert(p.found.numbers.begin(), p.found.numbers.end());
    }
    return numbers;
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
    takt_plugin::convert(p.where, p.found,
            {p.open, optimise_ && !outlined->hasOptNone(), &atomic_ways_, places_.nesting.contains(outlined),
             places_.middle.contains(outlined), places_.shared.contains(outlined), places_.plain.contains(outlined),
             claims_from_pool(p)});
    p.where.fork = nullptr;
  }

  bool claims_from_pool(const plan& p) const {
    return !places_.plain.contains(p.where.outlined) && is_pooled(p.found);
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
      if (p.where.push_threads != nullptr) {
        remark << (!is_team && claims_from_pool(p) ? "; num_threads limits how many workers take part"
                                                   : "; num_threads is ignored unless it is 1");
      }
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

  Module& module_;
  FunctionAnalysisManager& analyses_;
  decisions& known_;
  const bool optimise_;
  bool changed_ = false;
  ValueMap<const Function*, std::string> keys_;
  std::set<const Function*> gathered_;  // into which functions have been put
  team_map teams_;
  std::set<const Function*> open_;                       // may be split, if their loops can be converted
  std::vector<std::pair<std::string, refusal>> failed_;  // could not be split
  std::map<const Function*, refusal> left_;              // why they are not split
  std::set<const Function*> with_epilogue_;              // whose loop has one
  std::set<Function*> in_tasks_;                         // copies with critical sections
  std::set<Function*> with_locks_;
  std::vector<site> sites_;
  std::vector<plan> plans_;
  block_set atomic_ways_;
  places places_;
};

class takt_openmp : public PassInfoMixin<takt_openmp> {
 public:
  /// `inlines`: the entries disappear in the code around them. `only_looks`: nothing is changed.
  explicit takt_openmp(OptimizationLevel level, bool inlines = false, bool only_looks = false)
      : optimise_(level != OptimizationLevel::O0), inlines_(inlines && optimise_), only_looks_(only_looks) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    bool changed = convert_openmp(module, analyses);
    if (only_looks_ || verdicts_switch) return PreservedAnalyses::all();
    // Behind that, which sees the functions as Clang made them.
    if (optimise_ && forks_switch) changed |= ask_forks_once(module);
    if (optimise_) changed |= tune(module);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

 private:
  bool convert_openmp(Module& module, ModuleAnalysisManager& analyses) const {
    auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    if (only_looks_ || verdicts_switch) {
      const std::unique_ptr<Module> copy = CloneModule(module);
      prepare(*copy);
      decisions known = decide(*copy, functions);
      attempt tried(*copy, functions, known, optimise_);
      tried.look(true);
      tried.remark();
      forget(*copy, functions);
      return false;
    }
    const bool prepared = prepare(module);
    decisions known = decide(module, functions);
    attempt now(module, functions, known, optimise_);
    now.look(true);
    if (now.learn()) report_fatal_error("takt: a region is not in the module what it was in its copy");
    now.remark();
    now.count();
    return now.convert(inlines_ && inline_switch) || prepared;
  }

  /// What Clang gets wrong, or makes differently in some versions, is put right, in regions that stay, too.
  static bool prepare(Module& module) {
    join_debug_wrappers(module);
    bool changed = mend(module);
    drop_unreachable(module);
    mark_ragged(module);
    mark_ends_of_dispatch(module);
    changed |= lower_cancellation(module);
    promise_words(module);
    return changed;
  }

  decisions decide(Module& module, FunctionAnalysisManager& functions) const {
    decisions known;
    if (module.getFunction(kmpc::fork_call) == nullptr) return known;
    if (regions_switch.getNumOccurrences() != 0) {
      // To bisect: only so many regions of the file are converted.
      unsigned number = 0;
      for (const site& s : find_sites(module)) {
        if (number++ >= regions_switch) known.left.try_emplace(s.outlined->getName().str(), reason::switched_off);
      }
    }
    const std::string before = only_looks_ || verdicts_switch ? text_of(module) : "";
    const bool is_all = attempt(module, functions, known, optimise_).read();
    if (!before.empty() && text_of(module) != before) report_fatal_error("takt: a module is not what it was when it was read");
    if (is_all) return known;
    // What is tried in one copy may show that something else must stay.
    for (bool again = true; again;) {
      const std::unique_ptr<Module> copy = CloneModule(module);
      attempt tried(*copy, functions, known, optimise_);
      tried.look(false);
      forget(*copy, functions);
      again = tried.learn();
    }
    return known;
  }

  static std::string text_of(const Module& module) {
    std::string text;
    raw_string_ostream out(text);
    module.print(out, nullptr);
    return text;
  }

  static void forget(Module& copy, FunctionAnalysisManager& functions) {
    for (Function& function : copy) functions.clear(function, function.getName());
  }

  bool optimise_;
  bool inlines_;
  bool only_looks_;
};

}  // namespace
}  // namespace takt_plugin

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "takt", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              passes.addPass(takt_plugin::takt_openmp(level, true));
            });
            takt_plugin::add_tuning(builder);
            // For opt, which has no levels.
            builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                       llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
              if (name != "takt-openmp" && name != "takt-verdicts") return false;
              passes.addPass(takt_plugin::takt_openmp(llvm::OptimizationLevel::O1, false, name == "takt-verdicts"));
              return true;
            });
          }};
}
