"""Optional real inputs for tests: the folder named by TENOR_TEST_DATA, or an empty one."""

def _impl(ctx):
    path = ctx.os.environ.get("TENOR_TEST_DATA", "")
    if path:
        ctx.symlink(path, "data")
    ctx.file("BUILD.bazel", """
filegroup(
    name = "all",
    srcs = glob(["data/**"], allow_empty = True),
    visibility = ["//visibility:public"],
)
""")

test_data_repository = repository_rule(
    implementation = _impl,
    environ = ["TENOR_TEST_DATA"],
    local = True,
)
