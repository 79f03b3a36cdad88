#ifndef TENOR_TESTS_SIM_MANIFEST_ORACLE_H_
#define TENOR_TESTS_SIM_MANIFEST_ORACLE_H_

#include "server/core/effects.h"
#include "server/core/names.h"

namespace tenor::sim {

class World;

// Invariants 5, 6 and 10, where durable things are made.

// A manifest is about to be renamed into place: its ledger is what was committed at its round, its
// files hold the parameters of its version.
void CheckManifest(World* world, const WriteManifest& effect);

// Whether a durable record of `lineage`, or its base, is ended.
bool EndIsDurable(World* world, Lineage lineage);
// Somebody is told that the job has ended: every sample is committed once.
void CheckComplete(World* world, Lineage lineage);
// Somebody is told Done by a job that goes on when it is started again: what was decided is
// durable.
void CheckStopIsDurable(World* world, Lineage lineage);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_MANIFEST_ORACLE_H_
