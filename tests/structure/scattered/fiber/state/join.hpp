// What joins keep for the computation on a fiber (src/join).
struct fiber_join {
  bool must_stay() const noexcept { return stays != 0; }
  unsigned stays = 0;
};
