"""Stand-in for rules_cc: the native rules under their public names."""

load("@bazel_tools//tools/cpp:cc_flags_supplier.bzl", _cc_flags_supplier = "cc_flags_supplier")
load("@bazel_tools//tools/cpp:compiler_flag.bzl", _compiler_flag = "compiler_flag")

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
cc_flags_supplier = _cc_flags_supplier
compiler_flag = _compiler_flag
