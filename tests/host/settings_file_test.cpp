// A service that gives up its privileges and keeps HOME. Nobody has asked for a settings file in the default place; one
// that a variable names is another matter.
#include "child.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace {

bool call_without_privileges() {
  if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return false;
  takt::fork_join([] {}, [] {});
  return true;
}

}  // namespace

int main() {
  char folder[] = "/tmp/takt-host-XXXXXX";
  HOST_CHECK(mkdtemp(folder) != nullptr);
  const std::string closed = std::string(folder) + "/closed";
  HOST_CHECK(mkdir(closed.c_str(), 0700) == 0 && chmod(folder, 0755) == 0);
  HOST_CHECK(chmod(closed.c_str(), 0) == 0);
  unsetenv("TAKT_BEAT_US");
  unsetenv("TAKT_SETTINGS");
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", closed.c_str(), 1);
  const host::outcome silent = host::run_in_child(&call_without_privileges);
  setenv("TAKT_SETTINGS", (closed + "/settings").c_str(), 1);
  const host::outcome named = host::run_in_child(&call_without_privileges);
  rmdir(closed.c_str());
  rmdir(folder);
  HOST_CHECK(silent.good() && silent.said.empty(), "%s", silent.said.c_str());
  HOST_CHECK(named.good() && named.said.find(std::strerror(EACCES)) != std::string::npos, "%s", named.said.c_str());
}
