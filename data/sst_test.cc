#include <gtest/gtest.h>

#include "base/posix_file_system.h"
#include "base/status_testing.h"
#include "data/text_dataset.h"

namespace tenor {
namespace {

// The Stanford Sentiment Treebank as CSV, where real test data is there.
TEST(SstTest, EverySentenceIsADocument) {
  PosixFileSystem files;
  const std::string path = "external/tenor_test_data/data/sst/train.csv";
  if (!*files.Exists(path)) GTEST_SKIP() << "no test data: set TENOR_TEST_DATA";
  TextDataSetOptions options;
  options.inputs = {path};
  options.output = testing::TempDir() + "/sst";
  options.separator = *ParseSeparator("csv:sentence");
  options.threads = 2;
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet built, BuildTextDataSet(files, options, nullptr));
  EXPECT_EQ(built.data_set.train().documents() + built.data_set.heldout().documents() +
                built.data_set.empty_documents(),
            6920);
  EXPECT_EQ(built.data_set.empty_documents(), 0);
}

}  // namespace
}  // namespace tenor
