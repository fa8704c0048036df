#include "lower/lower.hpp"
#include "top.hpp"
