// Classes as firstprivate, exceptions that stay inside a task, and those that leave a function whose tasks wait.
#include <string>
#include <vector>

#include "show.h"

static int alive;

struct held {
  explicit held(long x) : value(x), self(this) { change(1); }
  held(const held& o) : value(o.value), self(this) { change(1); }
  ~held() {
    if (self != this) value = -1000000;
    change(-1);
  }
  static void change(int by) {
#pragma omp atomic
    alive += by;
  }
  long get() const { return self == this ? value : -1000000; }
  long value;
  const held* self;
};

static void add(long& to, long what) {
#pragma omp atomic
  to += what;
}

static void may_throw(int x, long& sum) {
#pragma omp task shared(sum)
  add(sum, x);
  if (x % 3 == 0) throw x;
#pragma omp task shared(sum)
  add(sum, 2 * x);
}

template <class T>
static T tree(T depth) {
  if (depth == 0) return 1;
  T left = 0, right = 0;
#pragma omp task shared(left)
  left = tree<T>(depth - 1);
#pragma omp task shared(right)
  right = tree<T>(depth - 1);
#pragma omp taskwait
  return left + right;
}

int main() {
  long sum = 0, words = 0, thrown = 0;
  long leaves = 0;
#pragma omp parallel
#pragma omp single
  {
    held h(7);
    std::string text = "a text that is longer than a short one";
    std::vector<int> many(100, 3);
    for (int i = 0; i < 50; ++i) {
#pragma omp task firstprivate(h, i) shared(sum) if (i % 4 != 0)
      add(sum, h.get() + i);
#pragma omp task firstprivate(text, many) shared(words)
      {
        add(words, static_cast<long>(text.size()) + many[99]);
      }
    }
#pragma omp taskloop firstprivate(h) shared(sum)
    for (int i = 0; i < 40; ++i) add(sum, h.get() * i);
#pragma omp taskgroup
    {
#pragma omp task shared(thrown)
      try {
        if (h.get() == 7) throw 5;
      } catch (int x) {
        add(thrown, x);
      }
      for (int i = 0; i < 20; ++i) {
        try {
          may_throw(i, thrown);
        } catch (int x) {
          add(thrown, 100 + x);
        }
      }
    }
    leaves = tree<long>(9);
  }
  number("objects", sum);
  number("strings", words);
  number("exceptions", thrown);
  number("leaves", leaves);
  number("alive", alive);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
