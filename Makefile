# Counterpoint: one Makefile. `make help` lists the targets.

CONFIG ?= release
CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
VERSION := 0.1.0

OBJ := build/$(CONFIG)-$(notdir $(CC))

WARN := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wvla \
  -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wundef
ifeq ($(CI),true)
WARN += -Werror
endif
CFLAGS_release := -O2 -g
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
  -fno-sanitize-recover=all
CFLAGS_cov := -O0 -g --coverage
LDFLAGS_asan := -fsanitize=address,undefined
LDFLAGS_cov := --coverage
ifeq ($(CFLAGS_$(CONFIG)),)
$(error unknown CONFIG '$(CONFIG)': use release, debug, asan or cov)
endif

INCLUDES := -Iplanner/include -Ioracle/include -Ireports/include
CPPFLAGS += -D_GNU_SOURCE -DCOUNTERPOINT_VERSION='"$(VERSION)"' $(INCLUDES)
ALL_CFLAGS := -std=c11 $(WARN) $(CFLAGS_$(CONFIG)) $(CFLAGS)
ALL_LDFLAGS := $(LDFLAGS_$(CONFIG)) $(LDFLAGS)

# Rooms: sources, library, what the library may link.
sonata_SRC := $(wildcard planner/json/*.c planner/score/*.c planner/deps/*.c \
  planner/adapt/*.c)
dump_SRC := $(wildcard planner/dump/*.c)
oracle_SRC := $(wildcard oracle/*.c)
reports_SRC := $(wildcard reports/*.c)
cli_SRC := $(filter-out cli/main.c,$(wildcard cli/*.c cli/frontend/*.c))

objects = $(patsubst %.c,$(OBJ)/%.o,$(1))
LIBS := $(OBJ)/libsonata.a $(OBJ)/libsonata_dump.a $(OBJ)/liboracle.a \
  $(OBJ)/libreports.a $(OBJ)/libcli.a

$(OBJ)/libsonata.a: $(call objects,$(sonata_SRC))
$(OBJ)/libsonata_dump.a: $(call objects,$(dump_SRC))
$(OBJ)/liboracle.a: $(call objects,$(oracle_SRC))
$(OBJ)/libreports.a: $(call objects,$(reports_SRC))
$(OBJ)/libcli.a: $(call objects,$(cli_SRC))

LINK_planner := $(OBJ)/libsonata_dump.a $(OBJ)/libsonata.a
LINK_oracle := $(OBJ)/liboracle.a
LINK_reports := $(OBJ)/libreports.a
LINK_cli := $(OBJ)/libcli.a $(OBJ)/libreports.a $(LINK_planner) $(LINK_oracle)
EXTERN_planner := -lcjson -lcrypto -lm
EXTERN_oracle := -lcrypto
EXTERN_reports := -lsqlite3 -lcjson
EXTERN_cli := -lsqlite3 -lcjson -lcrypto -lm

.PHONY: all
all: build/counterpoint

build/counterpoint: $(OBJ)/counterpoint FORCE
	@cmp -s $< $@ || cp $< $@

.PHONY: FORCE
FORCE:

$(OBJ)/counterpoint: $(OBJ)/cli/main.o $(LINK_cli)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -Wl,-Map=$@.map,--cref -o $@ $< \
	  $(LINK_cli) $(EXTERN_cli)

$(OBJ)/%.a:
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Tests: each <room>/tests/test_*.c is a program of its own.
TEST_ROOMS := planner oracle reports cli
HARNESS := $(OBJ)/scripts/testing/harness.o
define ROOM_TESTS
TESTS_$(1) := $$(patsubst %.c,$$(OBJ)/%,$$(wildcard $(1)/tests/test_*.c))
$$(TESTS_$(1)): $$(OBJ)/%: $$(OBJ)/%.o $$(HARNESS) $$(LINK_$(1))
	$$(CC) $$(ALL_CFLAGS) $$(ALL_LDFLAGS) -o $$@ $$< $$(HARNESS) \
	  $$(LINK_$(1)) $$(EXTERN_$(1)) -lcmocka
.PHONY: test-$(1)
test-$(1): $$(TESTS_$(1))
	@scripts/testing/run_tests $$(TESTS_$(1))
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call ROOM_TESTS,$(room))))
ALL_TESTS := $(foreach room,$(TEST_ROOMS),$(TESTS_$(room)))

.PHONY: test
test: all $(ALL_TESTS)
	@scripts/testing/run_tests $(ALL_TESTS)

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
