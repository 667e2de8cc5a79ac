// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Rules from tables, formulas from labelled rows of integers, and invariants that prove loops: learn_rules, learn_rule
/// and prove_loop take what is in memory; learn_rules_file, learn_rule_file and prove_loop_file read and write files.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/invariant/invariant_search.h"
#include "fovea/synthesis/job/learn_rule.h"
#include "fovea/synthesis/job/loop_file.h"
#include "fovea/synthesis/job/prove_loop.h"
#include "fovea/synthesis/job/rule_file.h"
#include "fovea/synthesis/job/table_rules.h"
#include "fovea/synthesis/job/table_rules_file.h"
#include "fovea/synthesis/job/table_rules_page.h"
