# ps2harness: `make demo` and `make test` need nothing else done first.
#   SAN=1      address and undefined-behaviour sanitizers, in their own build folder
#   CC=clang   another compiler, in its own build folder
#   WERROR=0   do not stop at warnings
#   V=1        show the commands
.DEFAULT_GOAL := all
MAKEFLAGS     += --no-builtin-rules --no-print-directory $(if $(V),,--silent)

ifeq ($(origin CC),default)
CC := gcc
endif
B := build$(if $(SAN),/san)$(if $(filter-out gcc,$(notdir $(CC))),/$(notdir $(CC)))
WERROR ?= 1
Q := $(if $(V),,@)
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^\#define PS2_VERSION "\(.*\)"/\1/p' harness/ps2h.h)
# Compiles on every core unless make was given a -j of its own.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
        -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough \
        -Wdouble-promotion -Wredundant-decls $(if $(filter 1,$(WERROR)),-Werror)
PKGS := unicorn libelf jansson libpng zlib libzstd libarchive libfyaml
ifneq ($(SAN),)
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
CPPFLAGS += -D_GNU_SOURCE -I.
CFLAGS   ?= -O2 -g
ALL_CFLAGS = -std=c11 -pthread $(WARN) $(CFLAGS) $(SANFLAGS) $(CPPFLAGS) $(shell pkg-config --cflags $(PKGS) cmocka)
LIBS       = $(shell pkg-config --libs $(PKGS)) -lm -pthread

LIB_SRC   := $(wildcard ee/*.c vu/*.c vif/*.c gs/*.c harness/*.c harness/kernel/*.c harness/formats/*.c \
               harness/check/*.c harness/diff/*.c harness/state/*.c fixtures/*.c)
CLI_SRC   := $(wildcard harness/cli/*.c)
SUP_SRC   := $(wildcard tests/support/*.c tests/model/*.c)
UNIT_SRC  := $(wildcard tests/unit/*.c)
FUZZ_SRC  := $(wildcard tests/fuzz/*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)
obj        = $(patsubst %.c,$(B)/obj/%.o,$(1))
UNIT      := $(patsubst tests/unit/%.c,$(B)/tests/%,$(UNIT_SRC))
FUZZ      := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(FUZZ_SRC))
PICTURES  := $(B)/tests/test_gs_pictures $(B)/tests/test_overlay_frame
BENCH     := $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SRC))
GUEST     := $(patsubst tests/guest/%,$(B)/guest/%.elf,$(basename $(wildcard tests/guest/*.S tests/guest/*.c)))
GUEST     += $(patsubst tests/guest/programs/%.c,$(B)/guest/%.elf,$(wildcard tests/guest/programs/*.c))
GUEST     += $(patsubst tests/decoders/%.c,$(B)/guest/%.so,$(wildcard tests/decoders/*.c))
GUEST_LIB := $(patsubst tests/guest/lib/%,$(B)/guest/lib/%.o,$(basename $(wildcard tests/guest/lib/*.S tests/guest/lib/*.c)))
LIB       := $(B)/libps2h.a
PS2H      := $(B)/ps2h

.PHONY: all demo test bench conformance hazards mutate fuzz validate-gltf lint format install clean setup rebase overlay
.SECONDARY:

all: setup
	@+$(MAKE) $(JOBS) $(PS2H) $(LIB)

setup:
	@.ci/setup

$(B):
	@echo "compiling into $@/ (a minute or two)" >&2
	@mkdir -p $@
$(B)/obj/%.o: %.c | $(B)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(LIB): $(call obj,$(LIB_SRC))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(PS2H): $(call obj,$(CLI_SRC)) $(LIB)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(call obj,$(CLI_SRC)) $(LIB) $(LIBS)
$(B)/libsupport.a: $(call obj,$(SUP_SRC))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(B)/tests/%: $(B)/obj/tests/unit/%.o $(B)/libsupport.a $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libsupport.a $(LIB) $(LIBS) -lcmocka
$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(B)/libsupport.a $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libsupport.a $(LIB) $(LIBS)
$(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libsupport.a $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libsupport.a $(LIB) $(LIBS)

# Guest programs: small R5900 executables for the tests. Those of tests/guest/programs are whole programs, with a crt0
# and what they need of tests/guest/lib.
CROSS     := mipsel-linux-gnu-
GUEST_ABI := -EL -march=r5900 -mabi=eabi
$(B)/guest/%.o: tests/guest/%.S
	@mkdir -p $(@D)
	$(Q)$(CROSS)as $(GUEST_ABI) -o $@ $<
$(B)/guest/%.o: tests/guest/%.c
	@mkdir -p $(@D)
	$(Q)$(CROSS)gcc $(GUEST_ABI) -mgp64 -msingle-float -G0 -mno-abicalls -fno-pic -ffreestanding $(GUEST_CFLAGS) -O2 -c -o $@ $<
$(B)/guest/%.elf: $(B)/guest/%.o tests/guest/guest.ld
	$(Q)$(CROSS)ld -n -T tests/guest/guest.ld -o $@ $<
$(B)/guest/lib.a: $(GUEST_LIB)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(B)/guest/%.elf: $(B)/guest/programs/%.o $(B)/guest/lib.a tests/guest/lib/program.ld
	$(Q)$(CROSS)ld -n -T tests/guest/lib/program.ld -o $@ $(B)/guest/lib/crt0.o $< $(B)/guest/lib.a
$(B)/guest/programs/%.o $(B)/guest/lib/%.o: GUEST_ABI += -mgp64 -msingle-float
$(patsubst tests/guest/%.c,$(B)/guest/%.o,$(wildcard tests/guest/lib/*.c tests/guest/programs/*.c)): $(wildcard tests/guest/lib/*.h)
$(patsubst tests/guest/%.c,$(B)/guest/%.o,$(wildcard tests/guest/lib/*.c tests/guest/programs/*.c)): GUEST_CFLAGS := -mlong32 -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror)

# The level overlay of the synthetic levels, once sound and once with each planted error. The library carries the
# committed one, so that a machine without the cross tools can build; `make overlay` renews it.
PLANTS      := $(shell sed -n 's/^ *.set *PLANT_[A-Z]*, \([0-9]*\).*/\1/p' fixtures/overlay/layout.inc)
OVERLAYS    := $(patsubst %,$(B)/fixtures/overlay-%.elf,0 $(PLANTS))
OVERLAY_SRC := $(wildcard fixtures/overlay/*.S fixtures/overlay/*.inc)
# A line of the microprogram marked "planted n:" gives way to what stands behind the mark.
$(B)/fixtures/vu-%/tfrag.vsm: fixtures/overlay/tfrag.vsm
	@mkdir -p $(@D)
	$(Q)sed 's/^.*; planted $*: /        /' $< > $@
$(B)/fixtures/%.vu: $(B)/fixtures/%.vsm $(PS2H)
	$(Q)$(PS2H) vu asm -o $@ $< && truncate -s %2048 $@ # whole MPG chunks of 256 pairs
$(B)/fixtures/overlay-%.o: $(B)/fixtures/vu-%/tfrag.vu $(OVERLAY_SRC)
	$(Q)$(CROSS)as $(GUEST_ABI) -mgp64 -msingle-float -Ifixtures/overlay -I$(<D) --defsym PLANT=$* \
		--defsym VU_CHUNKS=$$(($$(stat -c%s $<) / 2048)) -o $@ fixtures/overlay/overlay.S
$(B)/fixtures/overlay-%.elf: $(B)/fixtures/overlay-%.o fixtures/overlay/overlay.ld
	$(Q)$(CROSS)ld -n -x -T fixtures/overlay/overlay.ld -o $@ $<
overlay: $(B)/fixtures/overlay-0.elf
	install -m644 $< fixtures/overlay/overlay.elf
$(B)/obj/fixtures/overlay_code.o: fixtures/overlay/overlay.elf

# Decoders for the cases of tests/cases.
$(B)/guest/%.so: tests/decoders/%.c harness/diff/decoder.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $<

# Every program in tests/unit and every case in tests/cli; prints one summary line.
test: setup
	@+$(MAKE) $(JOBS) $(PS2H) $(UNIT) $(GUEST) $(OVERLAYS)
	@rm -f $(filter-out $(UNIT),$(wildcard $(B)/tests/*)) # of tests that are gone
	@GUEST=$(B)/guest OVERLAY=$(B)/fixtures PS2H=$(PS2H) tests/run $(B)/tests tests/cli
	@+$(if $(SAN),,tests/install)

rebase: setup
	@+$(MAKE) $(JOBS) $(PS2H) $(GUEST) $(PICTURES) $(OVERLAYS)
	@GUEST=$(B)/guest PS2H=$(PS2H) tests/run --rebase tests/cli
	@for test in $(PICTURES); do OVERLAY=$(B)/fixtures REBASE=1 $$test >/dev/null || exit; done

bench: setup
	@+$(MAKE) $(JOBS) $(BENCH) $(PS2H)
	@for b in $(BENCH); do $$b || exit 1; done

# Each known fault of Unicorn put back on purpose: the test of its name must fail.
hazards: setup
	@+$(MAKE) $(JOBS) $(B)/tests/test_unicorn
	@tests/hazards $(B)

# Each instruction body broken in turn: the vectors, the model or a test must notice.
mutate: setup
	@+$(MAKE) $(JOBS) $(LIB) $(B)/libsupport.a $(B)/tests/test_ee_system $(B)/tests/test_ee_access $(B)/tests/test_ee_run
	@tests/mutate $(B) $(if $(V),-v)

# Long fuzz campaigns: FUZZ_RUNS iterations of every target, with sanitizers.
FUZZ_RUNS ?= 1000000
fuzz: setup
ifeq ($(SAN),)
	@+$(MAKE) SAN=1 fuzz FUZZ_RUNS=$(FUZZ_RUNS)
else
	@+$(MAKE) $(JOBS) $(FUZZ)
	@for f in $(FUZZ); do $$f $(FUZZ_RUNS) || exit 1; done
endif

conformance: all
	@test -n "$(PS2AUTOTESTS)" || { echo "usage: make conformance PS2AUTOTESTS=DIR (a checkout of unknownbrackets/ps2autotests)" >&2; exit 2; }
	$(PS2H) conformance $(PS2AUTOTESTS)

# Synthetic levels as glTF through the Khronos validator (node and npm; optional).
validate-gltf: all
	@tests/validate-gltf $(PS2H) $(B)/gltf

demo: setup
	@+$(MAKE) $(JOBS) $(PS2H) $(GUEST)
	@GUEST=$(B)/guest PS2H=$(PS2H) tests/demo $(B)/demo

SOURCES = $(LIB_SRC) $(CLI_SRC) $(SUP_SRC) $(UNIT_SRC) $(FUZZ_SRC) $(BENCH_SRC) $(wildcard tests/mutation/*.c)
lint:
	@for tool in clang-format cppcheck; do command -v $$tool >/dev/null || { echo "lint: needs $$tool (a package of that name)" >&2; exit 2; }; done
	clang-format --dry-run -Werror $(SOURCES) $(wildcard */*.h */*/*.h)
	cppcheck -q --error-exitcode=1 --std=c11 --inline-suppr --enable=warning,portability -I. $(LIB_SRC) $(CLI_SRC)
format:
	clang-format -i $(SOURCES) $(wildcard */*.h */*/*.h)

install: all
	install -D $(PS2H) $(DESTDIR)$(PREFIX)/bin/ps2h
	install -D -m644 $(LIB) $(DESTDIR)$(PREFIX)/lib/libps2h.a
	install -D -m644 harness/ps2h.h $(DESTDIR)$(PREFIX)/include/ps2h/harness/ps2h.h
	install -d $(DESTDIR)$(PREFIX)/include/ps2h/ee
	install -m644 ee/ee.h ee/float.h ee/guest.h $(DESTDIR)$(PREFIX)/include/ps2h/ee
	install -d $(DESTDIR)$(PREFIX)/include/ps2h/harness/formats $(DESTDIR)$(PREFIX)/include/ps2h/harness/check
	install -m644 harness/formats/*.h $(DESTDIR)$(PREFIX)/include/ps2h/harness/formats
	install -m644 harness/check/*.h $(DESTDIR)$(PREFIX)/include/ps2h/harness/check
	install -D -m644 harness/diff/diff.h $(DESTDIR)$(PREFIX)/include/ps2h/harness/diff/diff.h
	install -m644 harness/diff/decoder.h $(DESTDIR)$(PREFIX)/include/ps2h/harness/diff
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf 'prefix=%s\nName: ps2h\nDescription: PlayStation 2 routines run and compared\nVersion: $(VERSION)\nRequires: $(PKGS)\nCflags: -I$${prefix}/include/ps2h\nLibs: -L$${prefix}/lib -lps2h -lm -pthread\n' $(PREFIX) > $(DESTDIR)$(PREFIX)/lib/pkgconfig/ps2h.pc

clean:
	rm -rf build

-include $(patsubst %.c,$(B)/obj/%.d,$(SOURCES))
