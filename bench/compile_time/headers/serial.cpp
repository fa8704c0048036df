#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>
#include <vector>
