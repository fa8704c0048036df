#include "policy/random.hpp"

#include "policy/random_stealing.hpp"

namespace takt::core {

std::unique_ptr<policy> make_random(runtime& r) { return std::make_unique<random_stealing<task_deque>>(r); }

}  // namespace takt::core
