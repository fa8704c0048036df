#include "lower/lower.hpp"
