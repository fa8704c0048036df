// Where tests run under an emulator, a test that starts itself again (GoogleTest's "threadsafe" death tests) must start
// it under the emulator, too: the kernel cannot run the program itself. TAKT_EMULATOR is the command, in words.
#include <unistd.h>

#include <sstream>
#include <string>
#include <vector>

extern "C" int execv(const char* path, char* const arguments[]) {
  std::vector<std::string> words;
  std::istringstream command(TAKT_EMULATOR);
  for (std::string word; command >> word;) words.push_back(word);
  // The emulator takes the program's path, and after it the arguments without their first.
  words.push_back(path);
  for (char* const* a = arguments + (arguments[0] != nullptr ? 1 : 0); *a != nullptr; ++a) words.emplace_back(*a);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return execvp(pointers[0], pointers.data());
}
