#include "upper/upper.hpp"
#include <vector>
