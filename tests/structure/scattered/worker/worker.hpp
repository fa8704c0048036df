class worker;

class alignas(64) worker {
 public:
  explicit worker(int& r) : owner(r) {}
  ~worker() { sleeps = false; }
  int& owner;
  bool sleeps = false;
  static constexpr int k_most = 3;
  int a, b, c;
  unsigned d{0};
  struct part {
    int inner;
  };
  part e, f;
  block<int, 64> g;
  atomic<unsigned> h{0};
  int i[4] = {};
  int next() noexcept { return i[0]; }
  const int j;
};
