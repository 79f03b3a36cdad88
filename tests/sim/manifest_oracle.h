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

// Somebody is told Done (ended) by a coordinator of `lineage`: a manifest says so, no newer lineage
// exists, every sample is committed once.
void CheckEnd(World* world, Lineage lineage);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_MANIFEST_ORACLE_H_
