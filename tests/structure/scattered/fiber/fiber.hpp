struct fiber;

struct fiber {
  void (*main)(fiber*) = nullptr;
  void* head = nullptr;
  void* split = nullptr;  // how far up; not below
  int a, b, c, d, e, f, g, h, i, j;
};
