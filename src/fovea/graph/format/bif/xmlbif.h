// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Reads a Bayesian network in the XML form of the interchange format (Cozman, "The XML-based format BIF", 0.3):
///
///   <BIF> <NETWORK> <NAME>n</NAME>
///     <VARIABLE TYPE="nature"> <NAME>x</NAME> <OUTCOME>yes</OUTCOME> <OUTCOME>no</OUTCOME> </VARIABLE>
///     <DEFINITION> <FOR>x</FOR> <GIVEN>y</GIVEN> <TABLE>.1 .9  .4 .6</TABLE> </DEFINITION>
///   </NETWORK> </BIF>
///
/// where the variable that a table is for varies fastest, the first given one slowest. Properties and comments are
/// skipped; a definition may come before its variables. Factor f is the f-th definition, with its own variable last in
/// the scope. Throws InputError (file:line) for text that is not well-formed XML, for decisions and utilities, and for
/// anything other than a whole network without directed cycles.
ModelFile read_xmlbif(io::ByteSource source);

}  // namespace fovea::graph
