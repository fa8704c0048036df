"""Conan's boost, as far as takt needs it: the machine's own Boost.Context."""

from conan import ConanFile


class BoostStandIn(ConanFile):
    name = "boost"
    version = "1.74.0"
    package_type = "shared-library"

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Boost")
        self.cpp_info.bindirs = self.cpp_info.libdirs = self.cpp_info.includedirs = []
        context = self.cpp_info.components["context"]
        context.set_property("cmake_target_name", "Boost::context")
        context.system_libs = ["boost_context"]
        context.bindirs = context.libdirs = context.includedirs = []
