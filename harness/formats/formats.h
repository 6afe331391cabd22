// The host decoders of level data, all of them.
//
// Each works on a span of bytes that the caller keeps alive, allocates only what its comment says, and
// returns PS2_OK or PS2_BAD_INPUT with the structure, the offset and the rule that failed. What nobody has
// identified is named unknown_0x.. and handed on as it is. harness/formats/levels.md is the overview.
#ifndef FORMATS_FORMATS_H
#define FORMATS_FORMATS_H

#include "harness/formats/chain.h"
#include "harness/formats/container.h"
#include "harness/formats/core.h"
#include "harness/formats/cull.h"
#include "harness/formats/gameplay.h"
#include "harness/formats/level.h"
#include "harness/formats/light.h"
#include "harness/formats/light_memory.h"
#include "harness/formats/lod.h"
#include "harness/formats/mesh.h"
#include "harness/formats/overlay.h"
#include "harness/formats/packet.h"
#include "harness/formats/span.h"
#include "harness/formats/texture.h"
#include "harness/formats/tfrag.h"
#include "harness/formats/view.h"
#include "harness/formats/vif_list.h"
#include "harness/formats/wad.h"

#endif
