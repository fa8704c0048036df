// Code beside the loop that makes private copies or only computes bounds is run by every slice.
// RUN: %remarks -std=c++17 %s 2>&1 | %check
struct object {
  int value;
  object(const object &);
  object &operator=(const object &);
  ~object();
};
struct range {
  int first, past;
  int begin() const { return first; }
  int end() const { int local = past; return local; }
};
struct sum {
  int *cell;
  sum();
  ~sum();
  void add(const sum &);
};
#pragma omp declare reduction(merge : sum : omp_out.add(omp_in))
int unknown();

void all(int *a, const range &r, const object &given) {
  object copy(given);
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = r.begin(); i < r.end(); ++i) a[i] = i;
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for firstprivate(copy)
  for (int i = 0; i < 100; ++i) a[i] = copy.value;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: code beside the loop may have effects
#pragma omp parallel for
  for (int i = 0; i < unknown(); ++i) a[i] = i;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: one of its loops has a lastprivate or linear clause that is not known
#pragma omp parallel for firstprivate(copy) lastprivate(copy)
  for (int i = 0; i < 100; ++i) copy.value = i;
  sum s;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it has a reduction over a class with a destructor
#pragma omp parallel for reduction(merge : s)
  for (int i = 0; i < 100; ++i) s.cell = &a[i];
}
