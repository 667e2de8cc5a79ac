// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/base/run.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_report.h"

namespace fovea::tagging {

/// A picture of where a tagger sampled (VisitPicture).
struct VisitPictureOptions {
  bool color = false;          ///< for a terminal
  std::string* svg = nullptr;  ///< gets the body of an SVG document, if not null
};

struct TaggedPageText;

/// Output other than the lines with columns added.
struct TagView {
  TaggedPageText* page = nullptr;  ///< gets what a page shows, if not null
  std::optional<VisitPictureOptions> picture = {};
  int explained_terms = 0;  ///< terms of each item's explanation (ExplanationLines); 0: none is asked for
};

/// Tags a stream of text or pixels, of the kind that the tagger reads: columns, with or without a label after those
/// that it was trained on; CRFsuite's attributes; or pixels. Writes the lines with columns added (TagColumns), or the
/// entities (option 'spans'), or what `view` asks for. Blocks of sequences are read, tagged on all threads and written
/// in order. Throws InputError (file:line) on bad input, UsageError on options that do not go together or that the
/// tagger's family does not have. After a cancellation, what was tagged has been written, and the report says so.
TagReport tag_stream(const Tagger& tagger, const TagJob& job, const Run& run, io::ByteSource source,
                     io::OutputFile& output, const TagView& view = {});

}  // namespace fovea::tagging
