// The eight programs in Java, for plain calls and for the ForkJoin framework, as a runner of takt bench: it speaks the
// protocol of bench/harness/runner.cpp. The numbers that are sorted and multiplied are others than those of the C++
// programs, of the same kind and as many. A fork allocates a closure and a task.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

final class Baggage {
  // --- forks

  @SuppressWarnings("serial")
  static final class Branch extends RecursiveAction {
    final Runnable body;
    Branch(Runnable body) { this.body = body; }
    @Override protected void compute() { body.run(); }
  }
  @SuppressWarnings("serial")
  static final class LongBranch extends RecursiveAction {
    final LongSupplier body;
    long result;
    LongBranch(LongSupplier body) { this.body = body; }
    @Override protected void compute() { result = body.getAsLong(); }
  }
  @SuppressWarnings("serial")
  static final class DoubleBranch extends RecursiveAction {
    final DoubleSupplier body;
    double result;
    DoubleBranch(DoubleSupplier body) { this.body = body; }
    @Override protected void compute() { result = body.getAsDouble(); }
  }

  static void both(Runnable f, Runnable g) {
    final Branch right = new Branch(g);
    right.fork();
    f.run();
    right.join();
  }
  static long sum(LongSupplier f, LongSupplier g) {
    final LongBranch right = new LongBranch(g);
    right.fork();
    final long a = f.getAsLong();
    right.join();
    return a + right.result;
  }
  static double sumOfDoubles(DoubleSupplier f, DoubleSupplier g) {
    final DoubleBranch right = new DoubleBranch(g);
    right.fork();
    final double a = f.getAsDouble();
    right.join();
    return a + right.result;
  }

  // --- the programs: each with an input, an answer, and two ways to it

  abstract static class Program {
    final String name, unit;
    final long usual, least, most;
    int size;
    Program(String name, String unit, long usual, long least, long most) {
      this.name = "baggage_" + name;
      this.unit = unit;
      this.usual = usual;
      this.least = least;
      this.most = most;
    }
    void make() {}
    void reset() {}
    abstract void run(boolean forks);
    // An array, or a boxed number, that the next run does not change.
    abstract Object answer();
    boolean same(Object got, Object expected) { return got.equals(expected); }
  }

  static final class Fib extends Program {
    long out;
    Fib() { super("fib", "n", 40, 1, 60); }
    static long plain(long n) { return n < 2 ? n : plain(n - 1) + plain(n - 2); }
    static long forking(long n) { return n < 2 ? n : sum(() -> forking(n - 1), () -> forking(n - 2)); }
    @Override void reset() { out = -1; }
    @Override void run(boolean forks) { out = forks ? forking(size) : plain(size); }
    @Override Object answer() { return out; }
  }

  static final class Integrate extends Program {
    double out;
    Integrate() { super("integrate", "upper", 10_000, 1, 20_000); }
    static double f(double x) { return (x * x + 1.0) * x; }
    static double rule(boolean forks, double left, double right, double atLeft, double atRight, double area) {
      final double half = (right - left) * 0.5, middle = left + half, atMiddle = f(middle);
      final double areaLeft = (atLeft + atMiddle) * half * 0.5, areaRight = (atMiddle + atRight) * half * 0.5;
      if (Math.abs(areaLeft + areaRight - area) <= 1e-9) return areaLeft + areaRight;
      if (forks) {
        return sumOfDoubles(() -> rule(true, middle, right, atMiddle, atRight, areaRight),
                            () -> rule(true, left, middle, atLeft, atMiddle, areaLeft));
      }
      return rule(false, middle, right, atMiddle, atRight, areaRight) + rule(false, left, middle, atLeft, atMiddle, areaLeft);
    }
    @Override void reset() { out = -1; }
    @Override void run(boolean forks) { out = rule(forks, 0, size, f(0), f(size), 0); }
    @Override Object answer() { return out; }
    @Override boolean same(Object got, Object expected) {
      final double exact = Math.pow(size, 4) / 4 + Math.pow(size, 2) / 2;
      return Math.abs((double) got - (double) expected) <= 1e-9 * exact && Math.abs((double) got - exact) <= 1e-6 * exact;
    }
  }

  static final class NQueens extends Program {
    long out;
    NQueens() { super("nqueens", "n", 12, 1, 16); }
    static boolean isSafe(byte[] queens, int row, int column) {
      for (int r = 0; r < row; ++r) {
        final int distance = queens[r] - column;
        if (distance == 0 || distance == row - r || distance == r - row) return false;
      }
      return true;
    }
    static long place(boolean forks, int n, int row, byte[] queens, int from, int to) {
      if (to - from > 1) {
        final int middle = from + (to - from) / 2;
        if (forks) {
          return sum(() -> place(true, n, row, queens, from, middle), () -> place(true, n, row, queens, middle, to));
        }
        return place(false, n, row, queens, from, middle) + place(false, n, row, queens, middle, to);
      }
      if (!isSafe(queens, row, from)) return 0;
      if (row + 1 == n) return 1;
      final byte[] next = queens.clone();
      next[row] = (byte) from;
      return place(forks, n, row + 1, next, 0, n);
    }
    @Override void reset() { out = -1; }
    @Override void run(boolean forks) { out = place(forks, size, 0, new byte[16], 0, size); }
    @Override Object answer() { return out; }
  }

  static final class QuickSort extends Program {
    int[] in, out;
    QuickSort() { super("quicksort", "numbers", 100_000_000, 1, 1_000_000_000); }
    static void sort(boolean forks, int[] a, int from, int to) {
      if (to - from <= 16) {
        for (int i = from + 1; i < to; ++i) {
          final int x = a[i];
          int j = i;
          for (; j > from && a[j - 1] > x; --j) a[j] = a[j - 1];
          a[j] = x;
        }
        return;
      }
      final int first = a[from], centre = a[from + (to - from) / 2], last = a[to - 1];
      final int pivot = Math.max(Math.min(first, centre), Math.min(Math.max(first, centre), last));
      int i = from - 1, j = to;
      for (;;) {
        while (a[++i] < pivot) {}
        while (a[--j] > pivot) {}
        if (i >= j) break;
        final int x = a[i];
        a[i] = a[j];
        a[j] = x;
      }
      final int middle = j + 1;
      if (forks) {
        both(() -> sort(true, a, from, middle), () -> sort(true, a, middle, to));
      } else {
        sort(false, a, from, middle);
        sort(false, a, middle, to);
      }
    }
    @Override void make() { in = new SplittableRandom(5).ints(size, 0, 2_000_000_000).toArray(); }
    @Override void reset() { out = in.clone(); }
    @Override void run(boolean forks) { sort(forks, out, 0, size); }
    @Override Object answer() { return out; }
    @Override boolean same(Object got, Object expected) { return Arrays.equals((int[]) got, (int[]) expected); }
  }

  // The four on arrays of numbers.
  abstract static class OnNumbers extends Program {
    double[] out;
    OnNumbers(String name, String unit, long usual, long least, long most) { super(name, unit, usual, least, most); }
    @Override Object answer() { return out; }
    @Override boolean same(Object got, Object expected) { return Arrays.equals((double[]) got, (double[]) expected); }
    // Between 0 and 1.
    static double[] numbers(long seed, int count) { return new SplittableRandom(seed).doubles(count).toArray(); }
  }

  static final class Jacobi extends OnNumbers {
    double[] next;
    Jacobi() { super("jacobi", "side", 1024, 1, 16_384); }
    static void average(boolean forks, double[] now, double[] next, int side, int from, int to) {
      if (to - from > 1) {
        final int middle = from + (to - from) / 2;
        if (forks) {
          both(() -> average(true, now, next, side, from, middle), () -> average(true, now, next, side, middle, to));
        } else {
          average(false, now, next, side, from, middle);
          average(false, now, next, side, middle, to);
        }
        return;
      }
      final int width = side + 2;
      for (int i = (from + 1) * width + 1, end = i + side; i < end; ++i) {
        next[i] = 0.25 * (now[i - width] + now[i + width] + now[i - 1] + now[i + 1]);
      }
    }
    @Override void reset() {
      out = new double[(size + 2) * (size + 2)];
      Arrays.fill(out, 0, size + 2, 1.0);
      next = out.clone();
    }
    @Override void run(boolean forks) {
      for (int step = 0; step < 100; ++step) {
        average(forks, out, next, size, 0, size);
        final double[] before = out;
        out = next;
        next = before;
      }
    }
  }

  static final class Heat extends OnNumbers {
    double[] next;
    Heat() { super("heat", "columns", 4096, 4, 65_536); }
    static void diffuse(boolean forks, double[] now, double[] next, int rows, int from, int to) {
      if (to - from > 10) {
        final int middle = from + (to - from) / 2;
        if (forks) {
          both(() -> diffuse(true, now, next, rows, from, middle), () -> diffuse(true, now, next, rows, middle, to));
        } else {
          diffuse(false, now, next, rows, from, middle);
          diffuse(false, now, next, rows, middle, to);
        }
        return;
      }
      for (int column = from; column < to; ++column) {
        for (int i = column * rows + 1, end = column * rows + rows - 1; i < end; ++i) {
          next[i] = now[i] + 0.1 * (now[i + rows] - 2.0 * now[i] + now[i - rows]) + 0.1 * (now[i + 1] - 2.0 * now[i] + now[i - 1]);
        }
      }
    }
    @Override void reset() {
      out = new double[size * (size / 4)];
      for (int i = 0; i < out.length; ++i) out[i] = i % 97 / 97.0;
      next = out.clone();
    }
    @Override void run(boolean forks) {
      for (int step = 0; step < 200; ++step) {
        diffuse(forks, out, next, size / 4, 1, size - 1);
        final double[] before = out;
        out = next;
        next = before;
      }
    }
  }

  static final class MatMul extends OnNumbers {
    double[] a, b;
    MatMul() { super("matmul", "side", 1024, 1, 8192); }
    void multiply(boolean forks, int row, int rows, int column, int columns) {
      if (rows > 16 && rows >= columns) {
        final int half = rows / 2;
        if (forks) {
          both(() -> multiply(true, row, half, column, columns), () -> multiply(true, row + half, rows - half, column, columns));
        } else {
          multiply(false, row, half, column, columns);
          multiply(false, row + half, rows - half, column, columns);
        }
        return;
      }
      if (columns > 16) {
        final int half = columns / 2;
        if (forks) {
          both(() -> multiply(true, row, rows, column, half), () -> multiply(true, row, rows, column + half, columns - half));
        } else {
          multiply(false, row, rows, column, half);
          multiply(false, row, rows, column + half, columns - half);
        }
        return;
      }
      final double[] sums = new double[16];
      for (int i = row; i < row + rows; ++i) {
        Arrays.fill(sums, 0.0);
        for (int k = 0; k < size; ++k) {
          final double x = a[i * size + k];
          for (int j = 0; j < columns; ++j) sums[j] += x * b[k * size + column + j];
        }
        System.arraycopy(sums, 0, out, i * size + column, columns);
      }
    }
    @Override void make() {
      a = numbers(3, size * size);
      b = numbers(4, size * size);
    }
    @Override void reset() { out = new double[size * size]; }
    @Override void run(boolean forks) { multiply(forks, 0, size, 0, size); }
  }

  // A matrix in blocks of 16 rows and columns, each block in one piece; a square of blocks is named by its first one.
  static final class LU extends OnNumbers {
    double[] in;
    int stride;  // blocks in a row
    LU() { super("lu", "side", 1024, 16, 8192); }
    int at(int block, int row, int column) { return block + row * stride + column; }

    void decomposeBlock(int m) {
      m *= 256;
      for (int k = 0; k < 16; ++k) {
        for (int i = k + 1; i < 16; ++i) {
          out[m + i * 16 + k] /= out[m + k * 16 + k];
          for (int j = k + 1; j < 16; ++j) out[m + i * 16 + j] -= out[m + i * 16 + k] * out[m + k * 16 + j];
        }
      }
    }
    void lowerBlock(int m, int l) {
      m *= 256;
      l *= 256;
      for (int k = 0; k < 16; ++k) {
        for (int i = k + 1; i < 16; ++i) {
          for (int j = 0; j < 16; ++j) out[m + i * 16 + j] -= out[l + i * 16 + k] * out[m + k * 16 + j];
        }
      }
    }
    void upperBlock(int m, int u) {
      m *= 256;
      u *= 256;
      for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < 16; ++k) {
          out[m + i * 16 + k] /= out[u + k * 16 + k];
          for (int j = k + 1; j < 16; ++j) out[m + i * 16 + j] -= out[m + i * 16 + k] * out[u + k * 16 + j];
        }
      }
    }
    void subtractBlock(int m, int v, int w) {
      m *= 256;
      v *= 256;
      w *= 256;
      for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < 16; ++k) {
          for (int j = 0; j < 16; ++j) out[m + i * 16 + j] -= out[v + i * 16 + k] * out[w + k * 16 + j];
        }
      }
    }
    void subtract(boolean forks, int m, int v, int w, int blocks) {
      if (blocks == 1) {
        subtractBlock(m, v, w);
        return;
      }
      final int h = blocks / 2;
      for (int part = 0; part < blocks; part += h) {
        final int k = part;
        if (forks) {
          both(() -> both(() -> quarter(true, m, v, w, 0, 0, k, h), () -> quarter(true, m, v, w, 0, h, k, h)),
               () -> both(() -> quarter(true, m, v, w, h, 0, k, h), () -> quarter(true, m, v, w, h, h, k, h)));
        } else {
          quarter(false, m, v, w, 0, 0, k, h);
          quarter(false, m, v, w, 0, h, k, h);
          quarter(false, m, v, w, h, 0, k, h);
          quarter(false, m, v, w, h, h, k, h);
        }
      }
    }
    void quarter(boolean forks, int m, int v, int w, int row, int column, int k, int blocks) {
      subtract(forks, at(m, row, column), at(v, row, k), at(w, k, column), blocks);
    }
    void lower(boolean forks, int m, int l, int blocks) {
      if (blocks == 1) {
        lowerBlock(m, l);
        return;
      }
      final int h = blocks / 2;
      if (forks) {
        both(() -> lowerColumns(true, m, l, 0, h), () -> lowerColumns(true, m, l, h, h));
      } else {
        lowerColumns(false, m, l, 0, h);
        lowerColumns(false, m, l, h, h);
      }
    }
    void lowerColumns(boolean forks, int m, int l, int j, int h) {
      lower(forks, at(m, 0, j), l, h);
      subtract(forks, at(m, h, j), at(l, h, 0), at(m, 0, j), h);
      lower(forks, at(m, h, j), at(l, h, h), h);
    }
    void upper(boolean forks, int m, int u, int blocks) {
      if (blocks == 1) {
        upperBlock(m, u);
        return;
      }
      final int h = blocks / 2;
      if (forks) {
        both(() -> upperRows(true, m, u, 0, h), () -> upperRows(true, m, u, h, h));
      } else {
        upperRows(false, m, u, 0, h);
        upperRows(false, m, u, h, h);
      }
    }
    void upperRows(boolean forks, int m, int u, int i, int h) {
      upper(forks, at(m, i, 0), u, h);
      subtract(forks, at(m, i, h), at(m, i, 0), at(u, 0, h), h);
      upper(forks, at(m, i, h), at(u, h, h), h);
    }
    void decompose(boolean forks, int m, int blocks) {
      if (blocks == 1) {
        decomposeBlock(m);
        return;
      }
      final int h = blocks / 2;
      decompose(forks, m, h);
      if (forks) {
        both(() -> lower(true, at(m, 0, h), m, h), () -> upper(true, at(m, h, 0), m, h));
      } else {
        lower(false, at(m, 0, h), m, h);
        upper(false, at(m, h, 0), m, h);
      }
      subtract(forks, at(m, h, h), at(m, h, 0), at(m, 0, h), h);
      decompose(forks, at(m, h, h), h);
    }
    @Override void make() {
      if (Integer.bitCount(size) != 1) throw new IllegalArgumentException(name + ": the size is a power of two");
      stride = size / 16;
      in = numbers(7, size * size);
      for (int i = 0; i < size; ++i) in[i / 16 * (stride + 1) * 256 + i % 16 * 17] += size;
    }
    @Override void reset() { out = in.clone(); }
    @Override void run(boolean forks) { decompose(forks, 0, stride); }
  }

  // --- the runner

  static final List<Program> PROGRAMS = List.of(new Fib(), new Integrate(), new Jacobi(), new MatMul(), new NQueens(),
                                                new QuickSort(), new LU(), new Heat());

  static String describe() {
    final String problems = PROGRAMS.stream().map(p -> String.format(
        "{\"name\":\"%s\",\"about\":\"in Java\",\"kind\":\"forks\",\"systems\":[\"serial\",\"java\"],\"size_unit\":\"%s\","
        + "\"size_default\":%d,\"size_min\":%d,\"size_max\":%d,\"calls\":1,\"takes_matrix\":false,\"takes_file\":false,"
        + "\"takes_whole_file\":false,\"group\":\"baggage\",\"fresh_process\":false,\"per_call\":false}",
        p.name, p.unit, p.usual, p.least, p.most)).collect(Collectors.joining(","));
    return String.format("{\"system\":\"java\",\"runtime\":\"ForkJoinPool\",\"compiler\":\"java\",\"compiler_version\":\"%s\","
        + "\"optimised\":true,\"suite\":\"\",\"problems\":[%s]}", System.getProperty("java.version"), problems);
  }

  static String option(String[] arguments, String name, String otherwise) {
    final int at = Arrays.asList(arguments).indexOf(name);
    return at < 0 || at + 1 == arguments.length ? otherwise : arguments[at + 1];
  }

  static void serve(String[] arguments) throws Exception {
    final String problem = option(arguments, "--problem", "");
    final Program program = PROGRAMS.stream().filter(p -> p.name.equals(problem)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown problem '" + problem + "'"));
    final long size = Long.parseLong(option(arguments, "--size", "0"));
    if (size != 0 && (size < program.least || size > program.most)) {
      throw new IllegalArgumentException(problem + ": size " + size + " is outside " + program.least + ".." + program.most);
    }
    program.size = (int) (size == 0 ? program.usual : size);
    final boolean forks = option(arguments, "--system", "java").equals("java");
    final ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(option(arguments, "--workers", "1")));
    program.make();
    System.out.println("{\"ready\":true}");
    final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    Object expected = null;
    for (String line; (line = commands.readLine()) != null;) {
      if (!line.equals("run") && !line.equals("warm")) throw new IllegalArgumentException("unknown command '" + line + "'");
      program.reset();
      final long steals = pool.getStealCount();
      final long begun = System.nanoTime();
      if (forks) {
        pool.invoke(new Branch(() -> program.run(true)));
      } else {
        program.run(false);
      }
      final double seconds = 1e-9 * (System.nanoTime() - begun);
      final Object got = program.answer();
      // After the first run, as the serial program would warm what a run is to find cold.
      if (expected == null) {
        program.reset();
        program.run(false);
        expected = program.answer();
      }
      System.out.println("{\"seconds\":" + seconds + ",\"ok\":" + program.same(got, expected)
          + (forks ? ",\"steals\":" + (pool.getStealCount() - steals) : "") + "}");
    }
  }

  public static void main(String[] arguments) {
    try {
      if (Arrays.asList(arguments).contains("--describe")) {
        System.out.println(describe());
      } else {
        serve(arguments);
      }
    } catch (OutOfMemoryError error) {
      System.out.println("{\"error\":\"not enough memory for this input\"}");
      System.exit(2);
    } catch (Exception error) {
      System.out.println("{\"error\":\"" + String.valueOf(error.getMessage()).replace("\"", "'") + "\"}");
      System.exit(2);
    }
  }
}
