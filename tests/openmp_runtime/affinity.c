/* What omp_capture_affinity says of a thread. */
#include <omp.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void says(const char* format, const char* wanted) {
  char text[256];
  const size_t length = omp_capture_affinity(text, sizeof text, format);
  CHECK(length == strlen(text));
  if (strcmp(text, wanted) != 0) fprintf(stderr, "%s: %s, not %s\n", format, text, wanted);
  CHECK(strcmp(text, wanted) == 0);
}

int main(void) {
  char text[64];
  omp_set_affinity_format("%L of %{thread_num}");
  CHECK(omp_get_affinity_format(text, sizeof text) == 19 && strcmp(text, "%L of %{thread_num}") == 0);
  CHECK(omp_get_affinity_format(text, 4) == 19 && strcmp(text, "%L ") == 0);
  says(NULL, "0 of 0");
  says("", "0 of 0");
  says("a%%b", "a%b");
  says("[%4N]", "[1   ]");
  says("[%.4N]", "[   1]");
  says("[%0.4{num_threads}]", "[0001]");
  says("[%0.4a]", "[-001]");
  says("%{nothing}", "undefined");
  CHECK(omp_capture_affinity(NULL, 0, "%300n") == 300);
  CHECK(omp_capture_affinity(text, 3, "abcdef") == 6 && strcmp(text, "ab") == 0);
  char own[32];
  snprintf(own, sizeof own, "%d", (int)getpid());
  says("%P", own);
  CHECK(omp_capture_affinity(text, sizeof text, "%A") > 0 && text[0] != '\0');
#pragma omp parallel num_threads(2)
  {
    char mine[32];
    snprintf(mine, sizeof mine, "1 %d 2 0", omp_get_thread_num());
    says("%L %n %N %a", mine);
  }
  puts("right");
  return 0;
}
