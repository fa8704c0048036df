#include <parlay/primitives.h>
