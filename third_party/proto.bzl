"""C++ code from .proto files by the system's protoc."""

def tenor_cc_proto(name, src, deps = [], proto_deps = [], grpc = False, visibility = None):
    """A cc_library `name` with the generated messages, and `name`_grpc with services if grpc is set.

    Args:
      name: of the library.
      src: one .proto file of this package.
      deps: libraries of the imported .proto files.
      proto_deps: labels of the imported .proto files.
      grpc: whether to generate service code as well.
      visibility: of both libraries.
    """
    stem = src[:-len(".proto")]
    protoc = "protoc -I. --cpp_out=$(GENDIR) $(location %s)" % src
    native.genrule(
        name = name + "_gen",
        srcs = [src] + proto_deps,
        outs = [stem + ".pb.h", stem + ".pb.cc"],
        cmd = protoc,
    )
    copts = ["-Wno-unused-parameter"]
    native.cc_library(
        name = name,
        srcs = [stem + ".pb.cc"],
        hdrs = [stem + ".pb.h"],
        copts = copts,
        visibility = visibility,
        deps = deps + ["//third_party:protobuf"],
    )
    if not grpc:
        return
    native.genrule(
        name = name + "_grpc_gen",
        srcs = [src] + proto_deps,
        outs = [stem + ".grpc.pb.h", stem + ".grpc.pb.cc"],
        cmd = "protoc -I. --plugin=protoc-gen-grpc=/usr/bin/grpc_cpp_plugin --grpc_out=$(GENDIR) $(location %s)" % src,
    )
    native.cc_library(
        name = name + "_grpc",
        srcs = [stem + ".grpc.pb.cc"],
        hdrs = [stem + ".grpc.pb.h"],
        copts = copts,
        visibility = visibility,
        deps = [
            ":" + name,
            "//third_party:grpc",
        ],
    )
