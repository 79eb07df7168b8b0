# Counterpoint: one Makefile. `make help` lists the targets; a text behind two
# number signs on a target's line is its help.

.DEFAULT_GOAL := all

CONFIG ?= release
ifeq ($(origin CC),default)
CC := gcc
endif
VERSION := 0.1.0
PREFIX ?= /usr/local

OBJ := build/$(CONFIG)-$(notdir $(lastword $(filter-out -%,$(CC))))

WARN := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wvla \
  -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wundef
CFLAGS_release := -O2 -g
CFLAGS_debug := -O0 -g3
SANITIZE := address,undefined
# What is done from some size on is done from the start where faults show:
# long lists are folded (oracle/json.h), far pairs asked together (hazard.c).
EARLY := -DORACLE_JSON_FOLD=16 -DORACLE_FAR_TASKS=2u
# What is taken of an arena lies alone, so that one piece more is seen.
ALONE := -DORACLE_ARENA_ALONE=1 -DSONATA_ARENA_ALONE=1
CFLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE) \
  -fno-sanitize-recover=all $(EARLY) $(ALONE)
CFLAGS_cov := -O0 -g --coverage
CFLAGS_fuzz := -O1 -g -fno-omit-frame-pointer \
  -fsanitize=fuzzer-no-link,$(SANITIZE) -fno-sanitize-coverage=trace-cmp \
  -fno-sanitize-recover=all $(EARLY)
CFLAGS_afl := -O2 -g $(EARLY)
LDFLAGS_asan := -fsanitize=$(SANITIZE)
LDFLAGS_cov := --coverage
LDFLAGS_fuzz := -fsanitize=$(SANITIZE)
ifeq ($(CFLAGS_$(CONFIG)),)
$(error unknown CONFIG '$(CONFIG)': use release, debug, asan or cov)
endif

INCLUDES := -Iplanner/include -Ioracle/include -Ireplay/include \
  -Ireports/include -Ifuzz/include
CPPFLAGS += -D_GNU_SOURCE -DCOUNTERPOINT_VERSION='"$(VERSION)"' $(INCLUDES)
ALL_CFLAGS := -std=c11 $(WARN) $(CFLAGS_$(CONFIG)) $(CFLAGS)
ALL_LDFLAGS := $(LDFLAGS_$(CONFIG)) $(LDFLAGS)
# An object is the same with or without it, so it is left out of the stamp.
ifeq ($(CI),true)
WERROR := -Werror
endif

# Rooms: the sources of each library. A new folder of the planner joins by
# itself; tests never do.
sonata_SRC := $(filter-out planner/dump/% planner/tests/%, \
  $(wildcard planner/*/*.c))
dump_SRC := $(wildcard planner/dump/*.c)
oracle_SRC := $(wildcard oracle/*.c)
replay_SRC := $(wildcard replay/*.c)
reports_SRC := $(wildcard reports/*.c)
fuzz_SRC := $(wildcard fuzz/gen/*.c fuzz/reduce/*.c fuzz/mutate/*.c)
cli_SRC := $(filter-out cli/main.c,$(wildcard \
  cli/*.c cli/frontend/*.c cli/graph/*.c cli/fuzz/*.c cli/replay/*.c \
  cli/triage/*.c))

SONATA := $(OBJ)/libsonata.a
DUMP := $(OBJ)/libsonata_dump.a
ORACLE := $(OBJ)/liboracle.a
REPLAY := $(OBJ)/libreplay.a
REPORTS := $(OBJ)/libreports.a
FUZZ := $(OBJ)/libfuzz.a
CLI := $(OBJ)/libcli.a

# What a program of a room is linked with, and which libraries of the system.
LINK_planner := $(DUMP) $(SONATA)
LINK_oracle := $(ORACLE)
LINK_replay := $(REPLAY) $(ORACLE)
LINK_reports := $(REPORTS)
LINK_fuzz := $(FUZZ) $(LINK_planner) $(ORACLE)
LINK_cli := $(CLI) $(FUZZ) $(REPORTS) $(REPLAY) $(LINK_planner) $(ORACLE)
EXTERN_planner := -lcjson -lcrypto -lm
EXTERN_oracle := -lcrypto
EXTERN_replay := -lcrypto
EXTERN_reports := -lsqlite3 -lcjson -lm
EXTERN_fuzz := -lcjson -lcrypto -lm
EXTERN_cli := -lsqlite3 -lcjson -lcrypto -lm

# V=1 shows whole commands instead of what is made.
ifeq ($(V),)
say = @echo '  $(1)  $(2)'; $(3)
else
say = $(3)
endif

.DELETE_ON_ERROR:
.PHONY: FORCE
FORCE:

.PHONY: all
all: build/counterpoint ## build build/counterpoint (the default)

# A copy of the program of the configuration that was built last. It is moved
# into place, since the old one may be running.
build/counterpoint: $(OBJ)/counterpoint FORCE
	@cmp -s $< $@ || { cp $< $@.$(CONFIG) && mv $@.$(CONFIG) $@; }

.PHONY: help
help: ## list the targets and the variables
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / \
	  { printf "  %-15s %s\n", $$1, $$2 }' Makefile
	@echo '  test-ROOM       the tests of one room ($(TEST_ROOMS))'
	@echo
	@echo '  CONFIG=$(CONFIG)  release, debug, asan or cov'
	@echo '  CC=$(CC)  gcc or clang'
	@echo '  CASE=PATTERN    with the test targets: only cases of such a name'
	@echo '  V=1             show whole commands'
	@echo '  CFLAGS= LDFLAGS= PREFIX= DESTDIR=  as usual'

# Stamps: files that change only when what they hold does. The one for compiling
# holds the flags and the names of all headers (a new header may hide another),
# the one of a library its members (a source may have been deleted).
C_FILES := $(filter-out build/%,$(sort $(wildcard \
  */*.[ch] */*/*.[ch] */*/*/*.[ch] */*/*/*/*.[ch])))
HEADERS := $(filter %.h,$(C_FILES))
STAMP_TEXT := $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(HEADERS)
quote = '$(subst ','\'',$(1))'
define update_stamp
@mkdir -p $(@D)
@printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || \
  printf '%s\n' $(call quote,$(1)) >$@
endef

$(OBJ)/flags.stamp: FORCE
	$(call update_stamp,$(STAMP_TEXT))

objects = $(patsubst %.c,$(OBJ)/%.o,$(1))
# $(1): the library, $(2): its sources
define LIBRARY
$(1): $$(call objects,$(2)) $(1).stamp
	@rm -f $$@
	$$(call say,AR,$$@,ar rcs $$@ $$(filter %.o,$$^))
$(1).stamp: FORCE
	$$(call update_stamp,$(2))
endef
$(eval $(call LIBRARY,$(SONATA),$(sonata_SRC)))
$(eval $(call LIBRARY,$(DUMP),$(dump_SRC)))
$(eval $(call LIBRARY,$(ORACLE),$(oracle_SRC)))
$(eval $(call LIBRARY,$(REPLAY),$(replay_SRC)))
$(eval $(call LIBRARY,$(REPORTS),$(reports_SRC)))
$(eval $(call LIBRARY,$(FUZZ),$(fuzz_SRC)))
$(eval $(call LIBRARY,$(CLI),$(cli_SRC)))

$(OBJ)/%.o: %.c $(OBJ)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$@,$(COMPILE) -c -o $@ $<)

# Texts that go into the program (scripts/make_texts): the files of every scene
# for `replay --export`, the pages of the rules for `explain`, and what the HTML
# report is made of. $(1): the source, $(2): its library, $(3): the header with
# its items, $(4): the files.
define TEXTS
$(2): $(1:.c=.o)
$(1:.c=.o): $(1) $$(OBJ)/flags.stamp
	$$(call say,CC,$$@,$$(COMPILE) -I. -c -o $$@ $$<)
$(1): scripts/make_texts $(4) $(1).stamp
	@mkdir -p $$(@D)
	$$(call say,GEN,$$@,scripts/make_texts $(3) >$$@)
$(1).stamp: FORCE
	$$(call update_stamp,$(3))
endef
PROBE := replay/scene/probe.json
SCENE := $(filter-out $(PROBE),$(sort \
  $(wildcard replay/scene/*.* replay/scene/kernels/*.*)))
PAGES := $(sort $(wildcard docs/rules/*.md)) docs/symptoms.md
HTML := reports/html/page.html reports/html/page.css $(OBJ)/reports/page.js
$(OBJ)/reports/page.js: $(addprefix reports/html/,tools.js pictures.js page.js)
	@mkdir -p $(@D)
	$(call say,GEN,$@,cat $^ >$@)
$(eval $(call TEXTS,$(OBJ)/replay/scene_texts.c,$(REPLAY),replay/scene.h \
  text replay_scene_probe $(PROBE) list replay_scene_text replay_scene_texts \
  replay/scene $(SCENE),$(PROBE) $(SCENE)))
$(eval $(call TEXTS,$(OBJ)/cli/pages.c,$(CLI),cli/pages.h list cli_page \
  cli_pages - $(PAGES),$(PAGES)))
$(eval $(call TEXTS,$(OBJ)/reports/html_texts.c,$(REPORTS),reports/html.h \
  text report_html_page $(word 1,$(HTML)) text report_html_style \
  $(word 2,$(HTML)) digest report_html_style_digest $(word 2,$(HTML)) \
  text report_html_script $(word 3,$(HTML)) digest report_html_script_digest \
  $(word 3,$(HTML)),$(HTML)))

COMPILE = $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(OWN_CFLAGS) $(WERROR) -MMD -MP
# libFuzzer has no header that declares the one function of a target.
$(OBJ)/fuzz/targets/%.o: OWN_CFLAGS := -Wno-missing-prototypes
# The adapters are called by engines, and by the test that stands for them.
$(OBJ)/fuzz/tests/test_engines: $(OBJ)/fuzz/engine/afl.o \
  $(OBJ)/fuzz/engine/libfuzzer.o
comma := ,
# $(1): objects and libraries of ours, $(2): of the system
link = $(call say,LD,$@,$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(1) $(2))
MAP = -Wl,-Map=$@.map,--cref
$(OBJ)/counterpoint: $(OBJ)/cli/main.o $(LINK_cli)
	$(call link,$^,$(EXTERN_cli) $(MAP))

# The same program with every member of every library, for the room check.
$(OBJ)/rooms: $(OBJ)/cli/main.o $(LINK_cli)
	$(call link,-Wl$(comma)--whole-archive $^ \
	  -Wl$(comma)--no-whole-archive,$(EXTERN_cli) $(MAP))

# Negative twins: the whole program with one fault, which `fuzz` has to find. A
# file of fuzz/planted/ wraps one function of ours and spoils what it answers.
PLANTED := $(patsubst fuzz/%.c,$(OBJ)/fuzz/%,$(wildcard fuzz/planted/*.c))
wraps = $(shell sed -n 's/.*__wrap_\([a-z0-9_]*\).*/-Wl,--wrap=\1/p' $(1))
$(PLANTED): %: %.o $(OBJ)/cli/main.o $(LINK_cli)
	$(call link,$(sort $(call wraps,$(@:$(OBJ)/%=%.c))) $^,$(EXTERN_cli))

.PHONY: planted
planted: $(PLANTED) ## build the program with one fault each (fuzz/planted/)

# Fifty faults of the planner, each in a program of its own, for the table of
# scripts/planted_causes.
CAUSES := $(wildcard fuzz/planted/causes.txt)
CAUSED := $(patsubst %,$(OBJ)/causes/%,$(shell \
  sed -n 's|^\([a-z][a-z0-9-]*\) planner/.*|\1|p' $(CAUSES) </dev/null))
cause_file = $(shell scripts/planted_causes --file $(CAUSES) $(1))
$(CAUSED): $(OBJ)/causes/%: $(CAUSES) scripts/planted_causes \
  $(OBJ)/cli/main.o $(LINK_cli)
	@mkdir -p $(@D)
	@scripts/planted_causes --plant $(CAUSES) $* >$@.c
	$(call say,CC,$@.o,$(COMPILE) \
	  -iquote $(dir $(call cause_file,$*)) -c -o $@.o $@.c)
	$(call link,$@.o $(filter %.o %.a,$^),$(EXTERN_cli))
.PHONY: causes
causes: $(CAUSED) ## build the program with each fault of the list CAUSES=

.PHONY: check-rooms
check-rooms: $(OBJ)/counterpoint $(OBJ)/rooms ## what rooms include and link
	@scripts/check_rooms $(OBJ)/counterpoint.map $(OBJ)/rooms.map
	@scripts/check_names

.PHONY: run
run: all ## judge the project's own corpus and print the report
	@rm -f build/run.db build/run.db-wal build/run.db-shm
	@build/counterpoint run corpus/programs --expect corpus/expect.txt \
	  --db build/run.db; status=$$?; \
	  build/counterpoint report build/run.db || exit; \
	  if [ $$status -eq 0 ]; then \
	    echo 'as expected: what was found is what corpus/expect.txt lists'; \
	  else \
	    echo 'NOT as expected: see the lines before the report' >&2; \
	  fi; exit $$status

# Tests: each <room>/tests/test_*.c is a program, each long_*.c one for
# `make test-long`; what else lies there is linked into all of them.
TEST_ROOMS := planner oracle replay reports fuzz cli
HARNESS := $(OBJ)/scripts/testing/harness.o
# Tests of three voices: one of them is the oracle's twin.
VOICES := $(call objects,$(wildcard cli/tests/voices/*.c oracle/tests/twin*.c))
$(OBJ)/cli/tests/test_voices $(OBJ)/cli/tests/long_voices: $(VOICES)
RUN_TESTS = @OBJ='$(OBJ)' COUNTERPOINT='$(OBJ)/counterpoint' \
  CC='$(CC)' CONFIG='$(CONFIG)' CASE='$(CASE)' scripts/testing/run_tests
define ROOM_TESTS
TESTS_$(1) := $$(patsubst %.c,$$(OBJ)/%,$$(wildcard $(1)/tests/test_*.c))
LONG_$(1) := $$(patsubst %.c,$$(OBJ)/%,$$(wildcard $(1)/tests/long_*.c))
SUPPORT_$(1) := $$(call objects,$$(filter-out $(1)/tests/test_% \
  $(1)/tests/long_%,$$(wildcard $(1)/tests/*.c)))
$$(TESTS_$(1)) $$(LONG_$(1)): $$(OBJ)/%: $$(OBJ)/%.o $$(HARNESS) \
  $$(SUPPORT_$(1)) $$(LINK_$(1))
	$$(call link,$$(filter %.o,$$^) $$(filter %.a,$$^),$$(EXTERN_$(1)) \
	  -lcmocka)
.PHONY: test-$(1)
test-$(1): $$(TESTS_$(1)) $$(if $$(filter cli,$(1)),all)
	$$(RUN_TESTS) $$(TESTS_$(1))
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call ROOM_TESTS,$(room))))
# A test of what happens without memory counts the allocations of our code.
WRAPPED := malloc calloc realloc reallocarray
%/test_no_memory: private ALL_LDFLAGS += $(WRAPPED:%=-Wl$(comma)--wrap=%)
ROOM_TESTS := $(foreach room,$(TEST_ROOMS),$(TESTS_$(room)))
LONG_TESTS := $(foreach room,$(TEST_ROOMS),$(LONG_$(room)))

# Three voices, one of them with a fault: the test has to fail.
PLANTED_VOICES := $(patsubst %.c,$(OBJ)/%,$(wildcard fuzz/planted/voices/*.c))
$(PLANTED_VOICES): %: %.o $(OBJ)/cli/tests/test_voices.o $(VOICES) $(HARNESS) \
  $(LINK_cli)
	$(call link,$(sort $(call wraps,$(@:$(OBJ)/%=%.c))) $^,$(EXTERN_cli) \
	  -lcmocka)

# The scripts' tests are scripts; the sample is what they run the runner on.
SAMPLE := $(OBJ)/scripts/testing/sample
$(SAMPLE): $(SAMPLE).o $(HARNESS)
	$(call link,$^,-lcmocka)
SCRIPT_TESTS := $(wildcard scripts/testing/test_*)

# The examples use public headers and the planner's library alone.
EXAMPLES := $(patsubst %.c,$(OBJ)/%,$(wildcard docs/examples/*.c))
$(EXAMPLES): $(OBJ)/%: $(OBJ)/%.o $(SONATA)
	$(call link,$^,$(EXTERN_planner))

# Fuzz targets: with libFuzzer, and with the plain driver that replays files.
TARGETS := $(patsubst fuzz/targets/%.c,%,$(wildcard fuzz/targets/*.c))
SMOKES := $(TARGETS:%=$(OBJ)/fuzz/replay_%)
$(SMOKES): $(OBJ)/fuzz/replay_%: $(OBJ)/fuzz/targets/%.o $(OBJ)/fuzz/driver.o \
  $(LINK_cli)
	$(call link,$^,$(EXTERN_cli))

# Growth and ratios: each file of bench/ says what it measures.
BENCH := $(addprefix $(OBJ)/bench/,planner oracle replay reports)
$(OBJ)/bench/planner: $(SONATA)
$(OBJ)/bench/oracle: $(OBJ)/bench/shapes.o $(ORACLE)
$(OBJ)/bench/replay: $(REPLAY) $(ORACLE)
$(OBJ)/bench/reports: $(REPORTS)
$(BENCH): %: %.o $(OBJ)/bench/common.o
	$(call link,$^,$(EXTERN_planner) -lsqlite3)

# Negative twins: every target once more with one fault, which the plain driver
# finds with the mutator. The fault is the target's own, or one of a program.
FAULT_acyclic := planner_acyclicity
FAULT_fingerprint := planner_fingerprint
FAULT_hazard := voices/judge_war
fault = $(or $(FAULT_$(1)),targets/$(1))
define TWIN
$(OBJ)/fuzz/twins/$(1): $(OBJ)/fuzz/planted/$(fault).o \
  $(OBJ)/fuzz/targets/$(1).o $(OBJ)/fuzz/driver.o $(LINK_cli)
	@mkdir -p $$(@D)
	$$(call link,$$(call wraps,fuzz/planted/$(fault).c) $$^,$(EXTERN_cli))
endef
$(foreach name,$(TARGETS),$(eval $(call TWIN,$(name))))
TWINS := $(TARGETS:%=$(OBJ)/fuzz/twins/%)
.PHONY: twins
twins: $(TWINS) ## build each fuzz target with one fault (fuzz/planted/)

# Seeds and a dictionary, of corpus/ and what is planned of it.
SEEDS := $(OBJ)/fuzz/seeds
.PHONY: fuzz-seeds
fuzz-seeds: $(SEEDS).dict ## make seeds and a dictionary for the engines
$(SEEDS).dict: $(OBJ)/counterpoint scripts/make_seeds scripts/make_dictionary \
  $(shell find corpus fuzz/seeds fuzz/dictionaries -type f 2>/dev/null)
	$(call say,GEN,$(SEEDS),scripts/make_seeds $(OBJ)/counterpoint $(SEEDS))
	@scripts/make_dictionary $(SEEDS) >$@

SANITIZED := $(OBJ:build/$(CONFIG)-%=build/asan-%)/counterpoint

.PHONY: bench
bench: all $(BENCH) $(SMOKES) $(SEEDS).dict ## time, memory, rates of fuzzing
	@$(OBJ)/bench/planner
	@$(OBJ)/bench/oracle
	@$(OBJ)/bench/replay
	@$(OBJ)/bench/reports
	@if command -v python3 >/dev/null; then \
	  scripts/bench_reference $(OBJ)/counterpoint; \
	else echo 'the Python reference is not timed: no python3'; fi
	@$(MAKE) --no-print-directory CONFIG=asan $(SANITIZED)
	@scripts/bench_fuzz $(OBJ)/counterpoint $(SANITIZED)
	@scripts/bench_targets $(OBJ)

.PHONY: bench-targets
bench-targets: fuzz-targets fuzz-afl-targets $(SMOKES) fuzz-seeds ## by engine
	@scripts/bench_targets $(OBJ)

RATIOS ?= build/ratios.txt
.PHONY: bench-ratios
bench-ratios: ## make bench, and its ratios for triage speed in RATIOS=FILE
	@$(MAKE) --no-print-directory bench >build/bench.txt
	@cat build/bench.txt
	@scripts/bench_ratios build/bench.txt >$(RATIOS)

.PHONY: test-programs
test-programs: all $(ROOM_TESTS) $(LONG_TESTS) $(SMOKES) $(SAMPLE) \
  $(EXAMPLES) $(BENCH) $(PLANTED) $(PLANTED_VOICES) $(TWINS) $(SEEDS).dict

.PHONY: test
# What has the longest cases comes first: nothing waits for it at the end.
test: check-rooms test-programs ## all tests but the long ones
	$(RUN_TESTS) $(SMOKES) $(ROOM_TESTS) $(SCRIPT_TESTS)

.PHONY: test-long
test-long: all $(LONG_TESTS) ## the tests that take minutes, for nightly runs
	$(RUN_TESTS) --limit 7200 --show $(LONG_TESTS)

# A smoke set: the planner over the corpus, and test programs of the readers and
# the judge. Needs valgrind.
VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full
VALGRIND_TESTS := $(addprefix $(OBJ)/,planner/tests/test_dump \
  planner/tests/test_documents planner/tests/test_ir \
  oracle/tests/test_document oracle/tests/test_witness)
.PHONY: valgrind
valgrind: all $(VALGRIND_TESTS) ## a smoke set under valgrind
	$(OBJ)/counterpoint run corpus/programs --expect corpus/expect.txt \
	  --timeout 600 --quiet --planner '$(VALGRIND) $(OBJ)/counterpoint serve'
	for test in $(VALGRIND_TESTS); do $(VALGRIND) $$test || exit 1; done

.PHONY: test-scripts
test-scripts: all $(SAMPLE) $(EXAMPLES) $(PLANTED) $(PLANTED_VOICES) \
  $(TWINS) $(SMOKES) $(SEEDS).dict ## the tests of the scripts alone
	$(RUN_TESTS) $(SCRIPT_TESTS)

# The HTML report in a real page: fails where no Chromium is.
BROWSER := $(OBJ)/reports/tests/browser/test_page
$(BROWSER): $(BROWSER).o $(OBJ)/reports/tests/browser/browser.o $(HARNESS) \
  $(SUPPORT_reports) $(LINK_reports)
	$(call link,$(filter %.o,$^) $(filter %.a,$^),$(EXTERN_reports) -lcmocka)
.PHONY: test-browser
test-browser: $(BROWSER) ## the HTML report in headless Chromium
	$(RUN_TESTS) $(BROWSER)

SCHEMAS := ../shared/schemas
.PHONY: test-schemas
test-schemas: $(OBJ)/counterpoint ## JUnit and SARIF files against SCHEMAS
	@scripts/check_schemas $(OBJ)/counterpoint $(SCHEMAS)

.PHONY: check-corpus
check-corpus: $(SMOKES) ## replay the corpus through every fuzz target
	$(RUN_TESTS) $(SMOKES)

.PHONY: fuzz-targets
fuzz-targets: ## build build/fuzz/* with clang, libFuzzer, ASan and UBSan
	@$(MAKE) --no-print-directory CONFIG=fuzz CC=clang fuzz-build

.PHONY: fuzz-build
fuzz-build: $(TARGETS:%=build/fuzz/%)
$(TARGETS:%=build/fuzz/%): build/fuzz/%: $(OBJ)/fuzz/targets/%.o \
  $(OBJ)/fuzz/engine/libfuzzer.o $(LINK_cli)
	@mkdir -p $(@D)
	$(call link,$^,$(EXTERN_cli) -fsanitize=fuzzer)

# For AFL++ the same targets in persistent mode (its driver stands in for
# libFuzzer), and the mutator as a shared object.
.PHONY: fuzz-afl-targets
fuzz-afl-targets: build/fuzz-afl/mutator.so ## build build/fuzz-afl/* for AFL++
	@$(MAKE) --no-print-directory CONFIG=afl CC=afl-clang-fast fuzz-afl-build

.PHONY: fuzz-afl-build
fuzz-afl-build: $(TARGETS:%=build/fuzz-afl/%) \
  $(TARGETS:%=build/fuzz-afl/replay_%)
$(TARGETS:%=build/fuzz-afl/%): build/fuzz-afl/%: $(OBJ)/fuzz/targets/%.o \
  $(LINK_cli)
	@mkdir -p $(@D)
	$(call link,$^,$(EXTERN_cli) -fsanitize=fuzzer)

# The plain driver with the same objects first, so that edges have the same
# numbers: AFL++ counts them by their place in the program.
$(TARGETS:%=build/fuzz-afl/replay_%): build/fuzz-afl/replay_%: \
  $(OBJ)/fuzz/targets/%.o $(OBJ)/fuzz/driver.o $(LINK_cli)
	@mkdir -p $(@D)
	$(call link,$(OBJ)/fuzz/targets/$*.o $(LINK_cli) $(OBJ)/fuzz/driver.o \
	  $(LINK_cli),$(EXTERN_cli))

build/fuzz-afl/mutator.so: fuzz/engine/afl.c fuzz/gen/random.c \
  $(wildcard fuzz/mutate/*.[ch]) fuzz/include/fuzz/mutate.h
	@mkdir -p $(@D)
	$(call say,LD,$@,$(CC) -std=c11 $(CPPFLAGS) $(WARN) $(WERROR) -O2 -g \
	  -fPIC -shared -o $@ $(filter %.c,$^))

# SECONDS= (or TIME=) for each target, TARGET= one of them alone, JOBS=
# processes in parallel, FUZZ_CORPUS= the folder of what is kept.
TIME ?= 60
SECONDS ?= $(TIME)
FUZZ_CORPUS ?= build/fuzz-corpus
TARGET ?= $(TARGETS)
FUZZ_ENGINE = @SECONDS_EACH='$(SECONDS)' SEEDS='$(SEEDS)' \
  JOBS='$(or $(JOBS),2)' FUZZ_CORPUS='$(FUZZ_CORPUS)' scripts/fuzz_engine
.PHONY: fuzz-libfuzzer
fuzz-libfuzzer: fuzz-targets fuzz-seeds ## SECONDS=60 of libFuzzer a target
	$(FUZZ_ENGINE) libfuzzer $(TARGET)

.PHONY: fuzz-afl
fuzz-afl: fuzz-afl-targets fuzz-seeds ## SECONDS=60 of AFL++ a target
	$(FUZZ_ENGINE) afl $(TARGET)

.PHONY: fuzz-parallel
fuzz-parallel: fuzz-targets fuzz-afl-targets fuzz-seeds ## TIME=60 of both
	$(FUZZ_ENGINE) parallel $(TARGET)

.PHONY: afl-edges
afl-edges: fuzz-afl-targets fuzz-seeds ## does the plain driver reach them?
	@SECONDS_EACH='$(SECONDS)' SEEDS='$(SEEDS)' scripts/afl_edges $(TARGET)

# MUTANTS holds options of the script: --seed 7 --count 20 --only oracle/csv
.PHONY: mutants
mutants: ## single-line mutants, and what kills them (docs/mutants.md)
	@scripts/mutants $(MUTANTS)

# COV= holds checks: '--least 95,85', '--last ROOMS' (scripts/coverage_table).
.PHONY: cov
cov: ## coverage by tests, batch and corpus, text and HTML, in build/cov
	@$(MAKE) --no-print-directory CONFIG=cov CC=gcc test-programs
	@scripts/coverage build/cov-gcc build/cov $(COV)

.PHONY: nightly
nightly: ## the nightly run, about two hours (docs/nightly.md)
	@scripts/nightly

.PHONY: format
format: ## lay out all C files by .clang-format
	clang-format -i $(C_FILES)

.PHONY: check-format
check-format: ## fail when a C file is not laid out by .clang-format
	@clang-format --dry-run --Werror $(C_FILES)

.PHONY: install
install: all ## install to $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(OBJ)/counterpoint $(DESTDIR)$(PREFIX)/bin/counterpoint

.PHONY: clean
clean: ## delete build/
	rm -rf build

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
