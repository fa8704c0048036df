#include <algorithm>
#include <execution>
#include <tbb/tbb.h>
