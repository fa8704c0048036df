"""takt as a Conan package: `conan create packaging/conan --build=missing` in a checkout."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class TaktConan(ConanFile):
    name = "takt"
    description = "Nested parallelism that costs nothing until a beat"
    license = "MIT"
    topics = ("parallelism", "fork-join", "scheduler", "work-stealing", "openmp")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}

    def set_version(self):
        # The tree that the recipe lies in has it. An exported recipe has the version already.
        lists = Path(self.recipe_folder, "../../CMakeLists.txt")
        if not self.version and lists.exists():
            self.version = re.search(r"project\(takt\s+VERSION ([0-9.]+)", lists.read_text(encoding="utf-8"))[1]

    def export_sources(self):
        # What the library is built from, and no more.
        root = Path(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "abi/*", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Boost.Context: linked by whoever links the static library, included by takt alone.
        self.requires("boost/[>=1.74 <2]")

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("takt runs on Linux, on x86-64 and ARM64")
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)
        oldest = {"gcc": "12", "clang": "16"}.get(str(self.settings.compiler))
        if oldest is None or Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration("takt needs GCC 12 or Clang 16, or a later one")

    def generate(self):
        CMakeDeps(self).generate()
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        CMake(self).install()
        # One kind of library a package; Conan writes the files for CMake and pkg-config itself.
        unwanted = "*.a" if self.options.shared else "*.so*"
        for file in Path(self.package_folder, "lib").glob(unwanted):
            file.unlink()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, Path(self.package_folder, folder))

    def package_info(self):
        kind = "shared" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_file_name", "takt")
        self.cpp_info.set_property("cmake_target_name", "takt::takt")
        self.cpp_info.set_property("cmake_target_aliases", [f"takt::{kind}"])
        self.cpp_info.set_property("pkg_config_name", "takt")
        self.cpp_info.libs = ["takt"]
        self.cpp_info.requires = ["boost::context"]
        self.cpp_info.system_libs = ["dl", "pthread"]
        if not self.options.shared:
            self.cpp_info.defines = ["TAKT_STATIC"]
