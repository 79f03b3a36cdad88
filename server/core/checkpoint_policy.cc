#include "server/core/checkpoint_policy.h"

namespace tenor {

CutAnswer AskCut(const CutQuestion& question) {
  const bool multiple = question.every > 0 && question.next % question.every == 0;
  if (question.saving) return multiple ? CutAnswer::kLeftOut : CutAnswer::kNo;
  if (multiple) return CutAnswer::kEvery;
  if (question.asked) return CutAnswer::kAsked;
  if (question.every > 0 && question.first_due) return CutAnswer::kFirst;
  return CutAnswer::kNo;
}

}  // namespace tenor
