// The Graphics Synthesizer and the GIF before it: the public interface of gs/.
//
// `struct gs` takes register writes (through the sink of a GIF or directly), keeps registers, 4 MiB of local
// memory and the CLUT buffer, carries out transfers, draws when asked, and hands primitives to a port. No
// global state. Facts without a source named beside them are those on which the GS User's Manual and four
// emulators agree.
#ifndef GS_GS_H
#define GS_GS_H

#include "gs/fields.h"
#include "gs/gif.h"

struct gs;

// ---- registers

// General-purpose registers. Those of context 2 follow those of context 1.
enum gs_number {
    GS_PRIM = 0x00,
    GS_RGBAQ = 0x01,
    GS_ST = 0x02,
    GS_UV = 0x03,
    GS_XYZF2 = 0x04,
    GS_XYZ2 = 0x05,
    GS_TEX0_1 = 0x06,
    GS_TEX0_2 = 0x07,
    GS_CLAMP_1 = 0x08,
    GS_FOG = 0x0a,
    GS_XYZF3 = 0x0c,
    GS_XYZ3 = 0x0d,
    GS_NOP = 0x0f,
    GS_TEX1_1 = 0x14,
    GS_TEX2_1 = 0x16,
    GS_TEX2_2 = 0x17,
    GS_XYOFFSET_1 = 0x18,
    GS_PRMODECONT = 0x1a,
    GS_PRMODE = 0x1b,
    GS_TEXCLUT = 0x1c,
    GS_SCANMSK = 0x22,
    GS_MIPTBP1_1 = 0x34,
    GS_MIPTBP2_1 = 0x36,
    GS_TEXA = 0x3b,
    GS_FOGCOL = 0x3d,
    GS_TEXFLUSH = 0x3f,
    GS_SCISSOR_1 = 0x40,
    GS_ALPHA_1 = 0x42,
    GS_DIMX = 0x44,
    GS_DTHE = 0x45,
    GS_COLCLAMP = 0x46,
    GS_TEST_1 = 0x47,
    GS_PABE = 0x49,
    GS_FBA_1 = 0x4a,
    GS_FRAME_1 = 0x4c,
    GS_ZBUF_1 = 0x4e,
    GS_BITBLTBUF = 0x50,
    GS_TRXPOS = 0x51,
    GS_TRXREG = 0x52,
    GS_TRXDIR = 0x53,
    GS_HWREG = 0x54,
    GS_SIGNAL = 0x60,
    GS_FINISH = 0x61,
    GS_LABEL = 0x62,
    GS_NUMBERS = 0x80
};

// Privileged registers, by offset from GS_BASE.
enum gs_privileged {
    GS_PMODE = 0x00,
    GS_SMODE2 = 0x20,
    GS_DISPFB1 = 0x70,
    GS_DISPLAY1 = 0x80,
    GS_DISPFB2 = 0x90,
    GS_DISPLAY2 = 0xa0,
    GS_EXTBUF = 0xb0,
    GS_EXTDATA = 0xc0,
    GS_EXTWRITE = 0xd0,
    GS_BGCOLOR = 0xe0,
    GS_CSR = 0x1000,
    GS_IMR = 0x1010,
    GS_BUSDIR = 0x1040,
    GS_SIGLBLID = 0x1080,
};
#define GS_BASE 0x12000000u
#define GS_SIZE 0x2000u

enum gs_field_kind { GS_UNSIGNED, GS_SIGNED, GS_HEX, GS_FIXED4, GS_FLOAT, GS_FORMAT, GS_FORMAT_Z, GS_SHAPE };

struct gs_field_info {
    const char *name;
    enum gs_field field;
    enum gs_field_kind kind; // GS_FIXED4: sixteenths; GS_SHAPE: enum gs_shape
};

struct gs_register_info {
    const char *name;
    uint16_t number; // general-purpose, or offset of a privileged one
    const struct gs_field_info *fields;
    size_t count;
};
// NULL for a number without a register.
const struct gs_register_info *gs_register_info(unsigned number);
const struct gs_register_info *gs_privileged_info(unsigned offset);
// Writes the value of a field, as `0x2c0`, `PSMT8`, `12.5`, or `#7fffffff` for a float that the host lacks.
const char *gs_field_text(const struct gs_field_info *, uint64_t value, char *out, size_t size);
// Writes `TEX0_1 TBP0=0x2c0 TBW=4 ...`; an unknown register is its number alone. Returns out.
#define GS_TEXT_SIZE 256
const char *gs_register_text(unsigned number, uint64_t value, char *out, size_t size);

// ---- primitives

enum gs_shape {
    GS_POINT,
    GS_LINE,
    GS_LINE_STRIP,
    GS_TRIANGLE,
    GS_TRIANGLE_STRIP,
    GS_TRIANGLE_FAN,
    GS_SPRITE,
    GS_NO_SHAPE
};
extern const char *const gs_shape_names[8];

struct gs_vertex {
    uint64_t rgbaq, st;
    uint32_t uv, z;
    uint16_t x, y; // 12.4
    uint8_t f;
};

struct gs_primitive {
    uint16_t prim; // PRIM with the attributes that count (PRMODE's when PRMODECONT.AC is 0)
    uint8_t count;
    struct gs_vertex vertex[3]; // in the order they came; a fan's first vertex is [0]
};

// ---- the unit

#define GS_MEMORY_SIZE (4u << 20)

// How the GS calls up. Every member may be NULL.
struct gs_ports {
    void *context;
    void (*interrupt)(void *context);               // an event that IMR lets pass
    void (*resume)(void *context);                  // registers are taken again after a refusal
    void (*direction)(void *context, bool from_gs); // BUSDIR was written
    void (*draw)(void *context, struct gs *, const struct gs_primitive *); // after drawing it, if enabled
};

struct gs *gs_new(const struct gs_ports *); // copies the ports; NULL when memory runs out
void gs_free(struct gs *);                  // NULL is allowed
void gs_reset(struct gs *);                 // as CSR.RESET; local memory stays

// ---- drawing

// C - FC is multiplied with F / 256 and rounded down; C with F and FC with 255 - F; or as the first, rounded.
enum gs_fog { GS_FOG_256, GS_FOG_255, GS_FOG_ROUNDED };

// Where sources differ. Zeroes are the defaults; gs.md has the evidence.
struct gs_choices {
    enum gs_fog fog;
    bool date24_passes;     // DATE with a 24-bit frame; default: nothing is drawn
    bool dither16_only;     // default: frames of all formats are dithered
    bool huge_texture_is_1; // TW, TH above 10: 1 texel; default: 1024
    bool frame_width_0_is_1;
    bool unlike_z_off;  // a Z buffer that cannot share the frame's layout is off; default: it has its own
    bool z_frame_swaps; // with a frame in a Z format the Z buffer has the layout of a colour format
};

// From now on primitives are drawn. The choices are copied, NULL means the defaults. False: memory ran out.
bool gs_draw_enable(struct gs *, const struct gs_choices *);
// Threads that draw, the caller included; 1 at first, 64 at most. The picture is the same. False: drawing is
// not enabled, or the threads cannot be had and all stays as it was.
bool gs_set_workers(struct gs *, unsigned count);

// ---- access

// What a GIF may write to.
struct gs_sink gs_sink(struct gs *);
// A write as through the GIF. False: see struct gs_sink. Numbers without a register are ignored.
bool gs_write(struct gs *, unsigned number, uint64_t value);
// Values for HWREG; without a running transfer from the host they are dropped.
void gs_image(struct gs *, const uint64_t *values, size_t count);
// The next quadwords of a transfer to the host; returns how many there are. None unless BUSDIR says so.
size_t gs_download(struct gs *, uint64_t *quadwords, size_t count);
// Pixels of a transfer to or from the host that are still to come.
uint32_t gs_transfer_left(const struct gs *);

// The tool's own access: no effect but the value.
uint64_t gs_get(const struct gs *, unsigned number);
void gs_set(struct gs *, unsigned number, uint64_t value);
uint64_t gs_get_privileged(const struct gs *, unsigned offset);
void gs_set_privileged(struct gs *, unsigned offset, uint64_t value);
// GS_MEMORY_SIZE bytes, with all that was drawn until now: with workers, ask again after more is drawn.
uint8_t *gs_memory(struct gs *);
void gs_written(struct gs *); // ... which were written through that pointer

// Snapshots. Shows every field of the state to `visit`, always in the same order: `size` bytes at `data`, in
// elements of `width` bytes. What `visit` writes there is the state afterwards. Local memory is not among
// them: of each page of it, a byte tells whether the GS wrote there. The owner of the snapshot clears
// GS_PAGE_DIRTY.
#define GS_MEMORY_PAGE  0x2000u
#define GS_MEMORY_PAGES (GS_MEMORY_SIZE / GS_MEMORY_PAGE)
enum gs_page_mark { GS_PAGE_WRITTEN = 1, GS_PAGE_DIRTY = 2 };
void gs_visit(struct gs *, gs_visitor *, void *context);
uint8_t *gs_page_marks(struct gs *); // GS_MEMORY_PAGES bytes

// Privileged register window; as in struct ee_device, with the struct gs as context.
const char *gs_read_privileged(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *gs_write_privileged(void *, uint32_t address, unsigned size, const uint64_t value[2]);
void gs_hsync(struct gs *);
void gs_vsync(struct gs *); // the next field begins

// ---- local memory

enum gs_psm {
    GS_PSMCT32 = 0x00,
    GS_PSMCT24 = 0x01,
    GS_PSMCT16 = 0x02,
    GS_PSMCT16S = 0x0a,
    GS_PSMT8 = 0x13,
    GS_PSMT4 = 0x14,
    GS_PSMT8H = 0x1b,
    GS_PSMT4HL = 0x24,
    GS_PSMT4HH = 0x2c,
    GS_PSMZ32 = 0x30,
    GS_PSMZ24 = 0x31,
    GS_PSMZ16 = 0x32,
    GS_PSMZ16S = 0x3a,
};

struct gs_format {
    const char *name;
    uint8_t psm;
    uint8_t bits;                    // of a pixel, in transfers too
    uint8_t unit;                    // bits of what holds a pixel: 32, 16, 8 or 4
    uint8_t shift;                   // of the pixel in its unit
    uint8_t page_width, page_height; // pixels, as powers of two
    uint8_t layout;                  // private
    bool z;
};
// NULL for a code without a format.
const struct gs_format *gs_format(unsigned psm);
const struct gs_format *gs_format_by_name(const char *); // "PSMT8"
const struct gs_format *gs_formats(size_t *count);

struct gs_buffer {
    const struct gs_format *format;
    uint32_t base;  // blocks of 256 bytes
    uint32_t width; // units of 64 pixels; 0: all rows of pages overlap
};

// Address of a pixel in bits, below 8 * GS_MEMORY_SIZE. Coordinates are taken as they are: beyond the width
// they run into the next page, as do addresses beyond the end into the start.
uint32_t gs_pixel_address(const struct gs_buffer *, uint32_t x, uint32_t y);
// The pixel's bits, low and alone.
uint32_t gs_pixel_read(const uint8_t *memory, const struct gs_buffer *, uint32_t x, uint32_t y);
void gs_pixel_write(uint8_t *memory, const struct gs_buffer *, uint32_t x, uint32_t y, uint32_t value);

// ---- CLUT

// The entry that an index selects, 16 or 32 bits as CPSM says. `tex0` gives PSM (the number of index bits),
// CPSM and CSA.
uint32_t gs_clut_read(const struct gs *, uint64_t tex0, unsigned index);
// A colour of `bits` (16, 24 or 32) as R, G, B, A from the lowest byte; TEXA gives alpha to 16 and 24 bits.
uint32_t gs_expand_colour(uint32_t colour, unsigned bits, uint64_t texa);
// 1 KiB, as 512 halfwords.
uint16_t *gs_clut(struct gs *);
uint32_t *gs_clut_bases(struct gs *); // CBP0 and CBP1, with which TEX0.CLD 4 and 5 compare

// ---- the display

// Pixels of the picture that the read circuits make: their rectangles together, with the lines of both
// fields. Zero when neither is on. At most 8191 by 4095.
void gs_display_size(const struct gs *, uint32_t *width, uint32_t *height);
// The picture, as R, G, B and 255 for each pixel.
void gs_display(struct gs *, uint8_t *rgba);

#endif
