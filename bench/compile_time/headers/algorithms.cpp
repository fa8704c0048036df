#include <takt/algorithms.hpp>
