# Turnpost. `make demo` and `make test` are the two commands a newcomer needs; `make help` lists the rest.
SHELL       := /bin/bash
.DELETE_ON_ERROR:
MAKEFLAGS   += --no-builtin-rules
.SUFFIXES:

VERSION     := 0.1.0
MODE        ?= release
ifeq ($(origin CC),default)
CC          := gcc
endif
PREFIX      ?= /usr/local
DESTDIR     ?=
WERROR      ?= -Werror
B           := build/$(MODE)

# ---- what is needed -------------------------------------------------------------------------------------
BUILD_PACKAGES := gcc make pkg-config libc6-dev libetpan-dev libcurl4-gnutls-dev libjansson-dev \
                  libsodium-dev libgnutls28-dev ca-certificates libunbound-dev dns-root-data libinih-dev libsqlite3-dev libseccomp-dev libpq-dev check openssh-client \
                  librsvg2-dev libpng-dev libdeflate-dev libfreetype-dev fonts-b612
DEMO_PACKAGES  := openssl python3
TEST_PACKAGES  := $(DEMO_PACKAGES) postgresql dovecot-imapd dovecot-lmtpd postfix minisign signify-openbsd python3-dkim knot opendkim procps \
                  spin chromium firefox-esr tidy golang-go golang-golang-x-mod-dev
# Mail servers that cannot be installed beside these; tests/servers/unpack.sh keeps them in build/servers (make e2e SERVERS=cyrus,exim).
UNPACK_cyrus     := cyrus-imapd
UNPACK_exim      := exim4-daemon-light libnss-wrapper
UNPACK_opensmtpd := opensmtpd
BENCH_PACKAGES := postgresql dovecot-imapd postfix isync openssl python3 procps time librsvg2-bin
LINT_PACKAGES  := clang clang-format clang-tidy cppcheck
FUZZ_PACKAGES  := clang libclang-rt-dev
WASM_PACKAGES  := clang lld wasi-libc libclang-rt-dev-wasm32 nodejs
WEB_PACKAGES   := chromium
LIBS           := jansson libsodium gnutls libcurl sqlite3 inih libetpan libseccomp libpq libdeflate

# ---- flags ----------------------------------------------------------------------------------------------
pkg_cflags = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(1) 2>/dev/null))
pkg_libs   = $(filter-out -specs=%,$(shell pkg-config --libs $(1) 2>/dev/null))

WARN := -Wall -Wextra -Wpedantic $(WERROR) -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual \
        -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wswitch-enum -Wnull-dereference -Wimplicit-fallthrough
WARN_clang := -Wcomma -Wconditional-uninitialized -Wassign-enum
WARN_gcc   := -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Warith-conversion -Wno-format-truncation
# Hidden, because libraries would otherwise call ours where they mean their own: libunbound wants libevent's event_add.
HARDEN := -fstack-protector-strong -fno-common -fPIE -fvisibility=hidden
OPT_release := -O2 -g1 -D_FORTIFY_SOURCE=2
OPT_debug   := -O0 -g3
OPT_asan    := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT_tsan    := -O1 -g1 -fsanitize=thread
OPT_fuzz    := -O1 -g3 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
OPT_count   := -O1 -g1 -fno-builtin -fsanitize-coverage=trace-pc
OPT_cov     := -O0 -g1 --coverage -DSIM_COVERAGE
OPT_mcdc    := -O0 -g1 --coverage -fcondition-coverage
LINK_asan   := -fsanitize=address,undefined
LINK_cov    := --coverage
LINK_mcdc   := --coverage
# Compiling a suite takes longer than running it: its own lines are not optimised (the rooms it tests are). Another linker is no
# help: program_print (batch/stuck.c) reads the program as ld lays it out.
SUITE_asan    := -O0
SUITE_cov     := -DSLOWER=10
SUITE_mcdc    := -DSLOWER=10
SUITE_release := -O0 -g0 -U_FORTIFY_SOURCE
LINK_tsan   := -fsanitize=thread
LINK_fuzz   := -fsanitize=fuzzer-no-link,address,undefined
CPPFLAGS := $(CPPFLAGS) -D_GNU_SOURCE -DTURNPOST_VERSION='"$(VERSION)"' \
            -Isrc $(call pkg_cflags,$(LIBS))
ALL_CFLAGS = -std=c17 -pthread $(OPT_$(MODE)) $(WARN) $(if $(findstring clang,$(CC)),$(WARN_clang),$(WARN_gcc)) $(HARDEN) $(CFLAGS)
ALL_LDFLAGS = -pthread -pie -Wl,-z,relro,-z,now $(LINK_$(MODE)) $(LDFLAGS)
# libunbound.pc wants libevent's, which its package does not bring along.
LDLIBS   := $(LDLIBS) $(call pkg_libs,$(LIBS)) -lunbound -lm
BAN      := -include src/base/banned.h

# ---- rooms: an archive each, by the table in src/rooms; linked from the highest down ----------------------
ROOMS     := $(shell sed -n 's/:.*//; /^[a-z]/p' src/rooms | tac)
$(foreach r,$(ROOMS),$(eval USES_$(r) := $(r) $(shell sed -n 's/^$(r)://p' src/rooms)))
# (What stands in for libraries in a browser, src/browser/shim, is in no archive.)
sources   = $(filter-out src/browser/shim/%,$(sort $(wildcard src/$(1)/*.c src/$(1)/*/*.c)))
objects   = $(patsubst src/%.c,$(B)/%.o,$(call sources,$(1)))
archives  = $(foreach r,$(filter $(USES_$(1)),$(ROOMS)),$(B)/lib$(r).a)
ARCHIVES  := $(foreach r,$(ROOMS),$(B)/lib$(r).a)

EMBEDDED  := $(sort $(wildcard src/rules/*/cards.json) $(shell find templates -type f 2>/dev/null))
TESTS     := $(sort $(foreach r,$(ROOMS),$(wildcard tests/$(r)/*.c)))
TEST_BINS := $(TESTS:%.c=$(B)/%)

.PHONY: all
all: $(B)/turnpost $(B)/turnpost-picture

# The commit, for `turnpost --version`: from git in a checkout, else none. It is linked into the program alone, so that
# a commit rebuilds nothing else. COMMIT= builds as from a released archive.
ifeq ($(origin COMMIT),undefined)
COMMIT := $(shell test -e .git && git describe --always --dirty --abbrev=12 --match 'v[0-9]*' 2>/dev/null)
endif
$(B)/commit.c: FORCE
	@mkdir -p $(@D)
	@printf 'extern const char turnpost_commit[];\nconst char turnpost_commit[] = "%s";\n' '$(COMMIT)' | cmp -s - $@ || \
	    printf 'extern const char turnpost_commit[];\nconst char turnpost_commit[] = "%s";\n' '$(COMMIT)' > $@
$(B)/commit.o: $(B)/commit.c
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/turnpost: $(B)/main.o $(B)/commit.o $(ARCHIVES) $(B)/embed.o
	@echo "  LINK  $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $(B)/main.o $(B)/commit.o $(ARCHIVES) $(B)/embed.o $(LDLIBS)

# What draws is a program of its own, so that no library for it is part of the one that has the league's keys.
PAINTER_LIBS := librsvg-2.0 cairo libpng
$(B)/painter/%.o $(B)/tests/painter/% $(B)/tests/board/%: CPPFLAGS += $(call pkg_cflags,$(PAINTER_LIBS))
$(B)/turnpost-picture: $(B)/picture_main.o $(B)/libpainter.a $(call archives,painter)
	@echo "  LINK  $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $(B)/picture_main.o $(call archives,painter) $(call pkg_libs,$(PAINTER_LIBS) libseccomp)

define room_rule
$(B)/lib$(1).a: $(call objects,$(1))
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room_rule,$(r))))

# The letters of pictures are baked from a font once (src/board/glyphs.h).
FONT_DIR ?= /usr/share/fonts/opentype/b612
build/tools/glyphs: src/build/glyphs.c
	@mkdir -p $(@D)
	@echo "  TOOL  $@"
	@$(CC) -std=c17 -O1 -Wall -Wextra $(call pkg_cflags,freetype2) -o $@ $< $(call pkg_libs,freetype2) -lm
build/tools/glyphs.c: build/tools/glyphs
	@$< $(FONT_DIR)/B612-Regular.otf $(FONT_DIR)/B612-Bold.otf > $@
$(B)/board/glyphs.o: build/tools/glyphs.c src/board/glyphs.h $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
$(B)/libboard.a: $(B)/board/glyphs.o

# Flags that changed rebuild everything.
FLAGS_NOW := $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' > $@
.PHONY: FORCE
FORCE:

# What all files of a kind include first is compiled once: `call first_rule,STUB,HEADER,COMPILER AND FLAGS,FILE OF FLAGS` makes STUB,
# which includes HEADER, and STUB.gch, which the compiler reads in its place. (It does not name what it read so as a dependency.)
define first_rule
$(1):
	@mkdir -p $$(@D)
	@echo '#include <$(2)>' > $$@
$(1).gch: $(1) $(4)
	@echo "  FIRST $(2)"
	@$(3) -MMD -MP -x c-header -o $$@ $$<
endef
# banned.h goes in front of every file: a tenth of what compiling takes.
$(eval $(call first_rule,$(B)/first/banned.h,base/banned.h,$$(CC) $$(CPPFLAGS) $$(ALL_CFLAGS),$(B)/flags))
$(B)/%.o: src/%.c $(B)/first/banned.h.gch
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -include $(B)/first/banned.h -MMD -MP -c -o $@ $<

# Card data and templates become part of the program.
$(B)/embed.c: $(EMBEDDED) $(B)/embed.list src/build/embed.sh
	@mkdir -p $(@D)
	@bash src/build/embed.sh $(EMBEDDED) > $@
$(B)/embed.list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(EMBEDDED)' | cmp -s - $@ || printf '%s\n' '$(EMBEDDED)' > $@
$(B)/embed.o: $(B)/embed.c $(EMBEDDED)
	@$(CC) $(CPPFLAGS) -std=gnu17 -fPIE $(OPT_$(MODE)) -c -o $@ $<

# ---- tests ----------------------------------------------------------------------------------------------
CHECK_CFLAGS := $(call pkg_cflags,check)
CHECK_LIBS   := $(call pkg_libs,check)
room_of = $(word 2,$(subst /, ,$(1)))
# Suites from rules/ up play whole leagues (tests/house), so they link all that work/ may use.
LOW_ROOMS := base cluster mail dns orders trust chance tlog rating picture journal report painter
HOUSE     := $(filter-out $(B)/libcommands.a,$(ARCHIVES))
suite_archives = $(if $(filter $(LOW_ROOMS),$(call room_of,$(1))),$(call archives,$(call room_of,$(1))),$(if $(filter commands,$(call room_of,$(1))),$(ARCHIVES),$(HOUSE)))

define test_rule
$(B)/$(1:%.c=%): $(1) tests/suite.h $(call suite_archives,$(1)) $(B)/embed.o $(B)/flags $(if $(filter picture work,$(call room_of,$(1))),| $(B)/turnpost-picture)
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) -Itests $$(CHECK_CFLAGS) $$(ALL_CFLAGS) $$(SUITE_$(MODE)) -MMD -MP -MF $$@.alone.d $$(ALL_LDFLAGS) -o $$@ $(1) \
	    $(call suite_archives,$(1)) $(B)/embed.o $$(LDLIBS) $$(CHECK_LIBS) $(if $(filter painter board,$(call room_of,$(1))),$$(call pkg_libs,$$(PAINTER_LIBS)))
endef
$(foreach t,$(TESTS),$(eval $(call test_rule,$(t))))

# Suites in two programs, each linked once: low_suites has those of the rooms that read strangers' bytes first, house_suites the
# others. A few have to stay alone (tests/suite.h).
ALONE        := $(if $(TESTS),$(shell grep -l TEST_MAIN_ALONE $(TESTS)))
TOGETHER     := $(filter-out $(ALONE),$(TESTS))
STRANGERS    := base mail dns orders trust tlog
LOW_TESTS    := $(foreach r,$(STRANGERS),$(filter tests/$(r)/%,$(TESTS)))
LOW_TOGETHER := $(filter $(LOW_TESTS),$(TOGETHER))
HOUSE_TOGETHER := $(filter-out $(LOW_TESTS),$(TOGETHER))
LOW_SUITES   := $(LOW_TOGETHER:tests/%.c=$(B)/tests/low_suites:%) $(patsubst %.c,$(B)/%,$(filter $(LOW_TESTS),$(ALONE)))
HOUSE_SUITES := $(HOUSE_TOGETHER:tests/%.c=$(B)/tests/house_suites:%) $(patsubst %.c,$(B)/%,$(filter-out $(LOW_TESTS),$(ALONE)))
LOW_ARCHIVES := $(foreach r,$(filter $(STRANGERS),$(ROOMS)),$(B)/lib$(r).a)
# Strangers' verifiers of a league's log, which share no code with ours (tests/tlog/foreign.c); that in Go where there is one.
GOCODE  := /usr/share/gocode
FOREIGN := build/tools/log_proof $(if $(and $(shell command -v go),$(wildcard $(GOCODE)/src/golang.org/x/mod/sumdb/tlog)),build/tools/log_verify)
build/tools/log_proof: tests/tlog/foreign/proof.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu17 -O1 -Wall -Wextra -o $@ $< -lsodium
build/tools/log_verify: tests/tlog/foreign/verify.go
	@mkdir -p $(@D)
	@GO111MODULE=off GOPATH=$(GOCODE) GOCACHE=$(CURDIR)/build/tools/go GOFLAGS= go build -o $@ $<
$(B)/tests/tlog/foreign $(B)/tests/low_suites: | $(FOREIGN)
# What suites include first is compiled once, as suite.h or, with a league, house.h: more than a third of what compiling them takes.
HOUSED := $(if $(TESTS),$(shell grep -l '"house/' $(TESTS)))
SUITE_CFLAGS = -Itests $(CHECK_CFLAGS) $(ALL_CFLAGS) $(SUITE_$(MODE)) -DSUITE_TOGETHER
$(foreach h,suite.h house/house.h,$(eval $(call first_rule,$(B)/tests/first/$(notdir $(h)),$(h),$$(CC) $$(CPPFLAGS) $$(SUITE_CFLAGS),$(B)/flags)))
$(HOUSED:%.c=$(B)/%.o): $(B)/tests/first/house.h.gch
$(B)/tests/%.o: tests/%.c $(B)/flags $(B)/tests/first/suite.h.gch
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) -include $(B)/tests/first/$(if $(filter $<,$(HOUSED)),house,suite).h $(SUITE_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/tests/painter/%.o $(B)/tests/board/%.o: CPPFLAGS += $(call pkg_cflags,$(PAINTER_LIBS))
LINK_SUITES = $(CC) $(CPPFLAGS) $(SUITE_CFLAGS) $(ALL_LDFLAGS) -o $@ tests/suites.c
$(B)/tests/low_suites: tests/suites.c $(LOW_TOGETHER:%.c=$(B)/%.o) $(LOW_ARCHIVES) $(B)/embed.o
	@echo "  LINK  $@"
	@$(LINK_SUITES) $(LOW_TOGETHER:%.c=$(B)/%.o) $(LOW_ARCHIVES) $(B)/embed.o $(LDLIBS) $(CHECK_LIBS)
# Most of what these do is checking signatures and proofs, of the same journals again and again: they remember them.
$(B)/tests/house_suites: tests/suites.c tests/mutations/remember.c $(HOUSE_TOGETHER:%.c=$(B)/%.o) $(ARCHIVES) $(B)/embed.o | $(B)/turnpost-picture
	@echo "  LINK  $@"
	@$(LINK_SUITES) $(REMEMBERED:%=-Wl,--wrap=%) tests/mutations/remember.c $(HOUSE_TOGETHER:%.c=$(B)/%.o) $(ARCHIVES) $(B)/embed.o $(LDLIBS) $(CHECK_LIBS) $(call pkg_libs,$(PAINTER_LIBS))

# `make unit` runs every suite as a program of its own; `make unit ROOM=trust` one room's; `make together` all of them, from
# two programs.
.PHONY: unit
unit: $(if $(ROOM),$(filter $(B)/tests/$(ROOM)/%,$(TEST_BINS)),$(TEST_BINS))
	@bash tests/unit.sh $^
.PHONY: suites low-suites house-suites together
low-suites: $(B)/tests/low_suites $(filter-out %_suites,$(foreach s,$(LOW_SUITES),$(firstword $(subst :, ,$(s)))))
house-suites: $(B)/tests/house_suites $(filter-out %_suites,$(foreach s,$(HOUSE_SUITES),$(firstword $(subst :, ,$(s)))))
suites: low-suites house-suites
together: suites
	@bash tests/unit.sh $(LOW_SUITES) $(HOUSE_SUITES)
# The same, but more random games and damages (FEW in tests/suite.h).
.PHONY: many
many: suites
	@MANY=1 bash tests/unit.sh $(LOW_SUITES) $(HOUSE_SUITES)
# All suites with sanitizers: the long form of the suites of `make test`, which has sanitizers in low_suites only.
.PHONY: sanitized low-sanitized
low-sanitized:
	@$(MAKE) --no-print-directory MODE=asan low-suites
sanitized:
	@$(MAKE) --no-print-directory -j2 MODE=asan suites
	@$(MAKE) --no-print-directory MODE=asan together

# The end to end tests: real Dovecot, Postfix, ssh-keygen, minisign, signify (each says in its head what it plays).
E2E_LONGEST := $(foreach t,rulesets.py format.sh doctor.py store_wrong.py beside.py,tests/e2e/$t)
# Only as long forms, below.
E2E_LONG := $(foreach t,phone differential page_browser site_browser cluster cluster_loss season_compete,tests/e2e/$t.py)
E2E := $(E2E_LONGEST) $(filter-out $(E2E_LONGEST) $(E2E_LONG),$(sort $(wildcard tests/e2e/*.py tests/e2e/*.sh)))
# SERVERS=cyrus,exim: those that play over real servers, on other ones than Dovecot and Postfix.
E2E_SERVERS := $(foreach t,whole_game mailbox daemon joining crash_servers witness,tests/e2e/$(t).py)
SERVERS ?= dovecot,postfix
# STORE=postgres: those whose leagues can live in a database. Not those that go on with a copy of a league's folder, restore a
# backup, or write into a folder by hand (the database would not know of it); that look at the order of a disk's syncs; that work
# at a time before the league was made, which a copy does not forget; or that make no league by lib/league.py.
STORE ?= files
E2E_FILES := $(foreach t,backup cheats second_machine crash_order pictures servers pieces boards hostile page postgres durability repeat,tests/e2e/$(t).py) \
             $(wildcard tests/e2e/*.sh)
comma := ,
.PHONY: e2e
e2e: $(B)/turnpost $(B)/turnpost-fault e2e-tools
ifeq '$(STORE)' 'postgres'
	@STORE=postgres E2E_SECONDS=600 bash tests/e2e.sh $(B) $(filter-out $(E2E_FILES),$(E2E)) tests/e2e/season_compete.py
else ifeq '$(SERVERS)' 'dovecot,postfix'
	@bash tests/e2e.sh $(B) $(E2E)
else
	@bash tests/servers/unpack.sh $(foreach s,$(subst $(comma), ,$(SERVERS)),$(UNPACK_$(s)))
	@SERVERS=$(SERVERS) bash tests/e2e.sh $(B) $(E2E_SERVERS)
endif

# What they use of the programs of other tests.
.PHONY: e2e-tools
e2e-tools: $(B)/turnpost-picture $(B)/tests/sim/sim $(foreach t,bench/turns bench/league bench/history bench/compete mutations/auditor audit/every_record,$(B)/tests/$t) judge

# The program with every call that changes the outside world, or that one piece of work makes, numbered, and with a clock of
# our own (tests/faults/).
FAULT_CALLS := calloc realloc write pwrite fsync fdatasync syncfs rename link unlink ftruncate mkdir sqlite3_step curl_easy_send curl_easy_perform \
               intake_mail step_clock batch_commit petition_hear step_orders step_resolve record_make batch_take letters_post \
               letters_answer catalog_seen catalog_budget catalog_put_unread catalog_past_unread registry_log_add batch_mail_add spool_stage desk_put letters_finish \
               batch_open batch_round time clock_kept clock_correct clock_milliseconds pg_send pg_ask pg_wait
FAULT_HOOKS := tests/faults/faults.c tests/faults/pieces.c tests/faults/clock.c tests/faults/store.c
$(B)/turnpost-fault: $(B)/turnpost $(FAULT_HOOKS)
	@echo "  LINK  $@"
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(FAULT_CALLS:%=-Wl,--wrap=%) -o $@ $(FAULT_HOOKS) $(B)/main.o $(B)/commit.o \
	    $(ARCHIVES) $(B)/embed.o $(LDLIBS)

# The long forms of what `make test` does in short: kill the process at every point; make every call fail; servers and
# mails that misbehave; every damage to every kind of signature; random games in the sanitizer build.
LONG_crash   := tests/e2e/crash.py tests/e2e/crash_servers.py tests/e2e/beside.py tests/e2e/crash_queue.py tests/e2e/crash_order.py tests/e2e/crash_compete.py tests/e2e/second_machine.py tests/e2e/pictures.py
LONG_faults  := tests/e2e/faults.py tests/e2e/pieces.py
LONG_damage  := tests/e2e/damage.py
LONG_servers := tests/e2e/servers.py
LONG_hostile := tests/e2e/hostile.py tests/e2e/floods.py tests/e2e/hostile_replies.py tests/e2e/answers.py tests/e2e/store_wrong.py
LONG_season  := tests/e2e/season_compete.py tests/e2e/rulesets.py tests/e2e/decisions.py
LONG_cheats  := tests/e2e/cheats.py tests/e2e/cheats_by_mail.py tests/e2e/cheats_by_mailbox.py tests/e2e/log_audit.py tests/e2e/publish.py
# Every page of a site in browsers, with pictures of each kind in build/gallery.
# What axe-core knows of accessibility is asked there, too; it comes from npm, into build/, for this alone. Where it cannot be had,
# the test says so and goes on.
AXE_VERSION := 4.14.1
AXE         := build/axe/node_modules/axe-core/axe.min.js
$(AXE):
	@mkdir -p build/axe
	@npm install --prefix build/axe --no-save --no-audit --no-fund --ignore-scripts axe-core@$(AXE_VERSION) >build/axe/log 2>&1 || \
	    echo "axe-core cannot be had from npm (build/axe/log)"
.PHONY: site-test
site-test: all wasm-build
	@$(MAKE) --no-print-directory packages NEED='$(if $(shell command -v npm),,npm) $(WEB_PACKAGES)'
	@$(MAKE) --no-print-directory $(AXE)
	@mkdir -p build/gallery
	@LONG=1 AXE="$(CURDIR)/$(AXE)" GALLERY="$(CURDIR)/build/gallery" E2E_SECONDS=1800 bash tests/e2e.sh $(B) tests/e2e/site_browser.py
# The order page in browsers: a whole game, backups, what means harm, other versions; pictures in build/gallery.
.PHONY: page-test
page-test: all
	@LONG=1 GALLERY="$(CURDIR)/build/gallery" E2E_SECONDS=1800 bash tests/e2e.sh $(B) tests/e2e/page_browser.py
# Mails of whole games on telephones: widths, heights, bytes, budgets, accessibility.
.PHONY: phone
phone: all $(B)/tests/letters/headlines
	@$(MAKE) --no-print-directory packages NEED='$(if $(shell command -v npm),,npm) $(WEB_PACKAGES)'
	@$(MAKE) --no-print-directory $(AXE)
	@mkdir -p build/phone
	@AXE="$(CURDIR)/$(AXE)" SHOTS="$(CURDIR)/build/phone/shots" HEADLINES="$(CURDIR)/$(B)/tests/letters/headlines" TURNPOST="$(CURDIR)/$(B)/turnpost" TESTS="$(CURDIR)/tests" WORK="$$(mktemp -d $(CURDIR)/build/phone/XXXXXX)" \
	    PYTHONDONTWRITEBYTECODE=1 python3 tests/e2e/phone.py
# Three hosts serve a league from PostgreSQL while everything fails around them; with a store that is broken the judge has to
# find it; what a standby that is not synchronous may lose.
.PHONY: cluster
cluster: all $(B)/turnpost-fault
	@$(MAKE) --no-print-directory packages NEED='$(TEST_PACKAGES)'
	@LONG=1 E2E_SECONDS=1800 bash tests/e2e.sh $(B) tests/e2e/durability.py tests/e2e/repeat.py tests/e2e/cluster_loss.py tests/e2e/cluster.py
	@for how in fence id clock; do BROKEN=$$how bash tests/e2e.sh $(B) tests/e2e/cluster.py || exit 1; done
# An older build and this one read all recorded mails: OLD=PROGRAM. What differs is printed, for a reader.
.PHONY: differential
differential: all judge
	@LONG=1 OLD="$$(realpath "$(OLD)")" E2E_SECONDS=3600 bash tests/e2e.sh $(B) tests/e2e/differential.py
.PHONY: crash faults damage servers hostile season cheats matrix properties
crash faults damage servers hostile season cheats: all $(B)/turnpost-fault e2e-tools
	@LONG=1 E2E_SECONDS=7200 bash tests/e2e.sh $(B) $(LONG_$@)
	@for suite in $(STEERING_$@); do LONG=1 CK_FORK=no $$suite || exit 1; done
STEERING_cheats := $(B)/tests/play/steering $(B)/tests/play/steering_deal $(B)/tests/play/steering_witness $(B)/tests/game/marks $(B)/tests/audit/lockstep
cheats: $(STEERING_cheats) cheats-of-competitions
.PHONY: cheats-of-competitions
cheats-of-competitions: all $(B)/tests/audit/competition
	@python3 tests/mutations/competition_cheats.py $(B)
hostile: growth
matrix: $(B)/tests/trust/damage $(B)/tests/trust/signature $(B)/tests/intake/transport judge
	@MATRIX=1 CK_FORK=no $(B)/tests/trust/damage
	@MATRIX=1 CK_FORK=no $(B)/tests/intake/transport
	@MATRIX=1 $(B)/tests/trust/signature
	@/usr/bin/python3 tests/dkim/replies.py $(B)/tests/dkim/judge
# A thousand random games of an honest league: none is called broken, and no player's mails accuse it.
HONEST_GAMES ?= 1000
.PHONY: honest
honest: $(B)/tests/petitions/moderate_property
	@SEED=random GAMES=$(HONEST_GAMES) $<
PROPERTY_GAMES ?= 10000
DRAW_SEEDS ?= 2000
properties: export SEED := random
properties: $(B)/tests/play/draws_property
	@DRAW_SEEDS=$(DRAW_SEEDS) CK_FORK=no $<
	@$(MAKE) --no-print-directory -j2 MODE=asan suites
	@PROPERTY_GAMES=$(PROPERTY_GAMES) CK_FORK=no CK_DEFAULT_TIMEOUT=7200 bash tests/unit.sh $(addprefix build/asan/tests/house_suites:,$(filter rules/galax% rules/galactic% play/hidden,$(TOGETHER:tests/%.c=%)))

# All suites with another luck than that of `make test` (tests/luck.h), which they must not need.
LUCK_ROUNDS ?= 10
.PHONY: luck
luck: suites
	@for round in $$(seq $(LUCK_ROUNDS)); do SEED=random bash tests/unit.sh $(LOW_SUITES) $(HOUSE_SUITES) >$(B)/luck.log || { grep -A40 '^  FAIL' $(B)/luck.log; exit 1; }; done
	@echo "$(LUCK_ROUNDS) rounds of all suites"

# The threads (desk, errand, sending, audits of many games) under the thread sanitizer: their suites, and a whole league
# over real servers. What is no fault is named in tests/tsan.supp.
TSAN_SUITES := batch/desk letters/reading play/trial mail/imap mail/imap_fetch mail/imap_wait mail/sink mail/smtp work/work
.PHONY: tsan
tsan: export TSAN_OPTIONS := halt_on_error=1 exitcode=66 suppressions="$(CURDIR)/tests/tsan.supp"
tsan:
	@$(MAKE) --no-print-directory -j2 MODE=tsan CC=gcc all $(TSAN_SUITES:%=build/tsan/tests/%)
	@bash tests/unit.sh $(TSAN_SUITES:%=build/tsan/tests/%)
	@build/tsan/turnpost audit --jobs 4 games >/dev/null
	@bash tests/e2e.sh build/tsan tests/e2e/whole_game.py

# Everything that has to hold before a change is done.
.PHONY: test
test:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(TEST_PACKAGES) $(WASM_PACKAGES)'
	@$(MAKE) --no-print-directory -j2 all $(B)/turnpost-fault e2e-tools compiles wasm-build wasm-tools house-suites low-sanitized
	@echo "== end to end tests and suites (with address and undefined behaviour sanitizers where strangers' bytes come first); beside them small tests"
	@$(MAKE) --no-print-directory -j2 test-whole small rooms words model-alone wasm-short
	@echo "== no test has failed"
.PHONY: test-whole
test-whole:
	@bash tests/e2e.sh $(B) $(E2E) $(HOUSE_SUITES) $(LOW_SUITES:$(B)/%=build/asan/%)

# The newcomer's commands on fresh systems (tests/systems.sh), whose roots stay in ROOTS, 4 GB each, for the next time.
SYSTEMS ?= bookworm trixie
ROOTS   ?= /var/cache/turnpost-systems
.PHONY: systems
systems:
	@bash tests/systems.sh '$(ROOTS)' $(SYSTEMS)

.PHONY: small
# The small commands by hand; what has failed is shown, else the sum alone.
small: $(B)/turnpost
	@said=$$(bash tests/commands/small.sh $<); code=$$?; [ $$code = 0 ] && tail -1 <<<"$$said" || echo "$$said"; exit $$code

# Rewrites the golden files of tests/golden, and the README's sample mail and picture; read the difference before you commit it.
.PHONY: golden
golden: $(B)/tests/rules/golden $(B)/tests/board/golden $(B)/tests/letters/headlines $(B)/turnpost
	GOLDEN_WRITE=1 $(B)/tests/rules/golden
	GOLDEN_WRITE=1 $(B)/tests/board/golden
	GOLDEN_WRITE=1 $(B)/tests/letters/headlines
	$(B)/turnpost draw games/galaxy-command --turn 9 --seat 3 -o games/board.svg
	@[ ! -e .git ] || git --no-pager diff --stat -- tests/golden README.md games/board.svg

# Pictures of all kinds in chosen situations, to be looked at: build/gallery/index.html.
.PHONY: gallery
gallery: $(B)/tests/board/golden
	@$(MAKE) --no-print-directory packages NEED='librsvg2-bin python3'
	@rm -rf build/gallery/boards && mkdir -p build/gallery/boards
	@GALLERY=build/gallery/boards CK_FORK=no $< >/dev/null || echo "some pictures are not as in tests/golden/board"
	@python3 tests/gallery.py build/gallery

# ---- lint -----------------------------------------------------------------------------------------------
OURS := $(sort $(filter-out src/build/% src/browser/shim/%,$(wildcard src/*.c src/*/*.c src/*/*/*.c)))
OURS_ALL := $(OURS) $(sort $(wildcard src/build/*.c src/browser/shim/*.c) $(wildcard src/*/*.h src/*/*/*.h tests/*.h tests/*/*.c tests/*/*.h))
.PHONY: words
words:
	@python3 tests/words_selftest.py
	@python3 tests/words.py
	@python3 tests/fields.py

.PHONY: rooms house
rooms:
	@python3 tests/house_selftest.py
	@python3 tests/house.py $(B) --check
house: all
	@python3 tests/house.py $(B)

.PHONY: lint
lint:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(LINT_PACKAGES) $(WASM_PACKAGES)'
	@$(MAKE) --no-print-directory rooms words
	@clang-format --dry-run -Werror $(OURS_ALL) && echo "clang-format: clean"
	@cppcheck -q --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingInclude --suppress=ctuuninitvar -Isrc --include=tests/lint/cppcheck.h $(OURS) && echo "cppcheck: clean"
	@printf '%s\n' $(OURS) | xargs -P2 -n1 -I{} clang-tidy --quiet {} -- $(filter-out -Werror,$(CPPFLAGS) $(call pkg_cflags,librsvg-2.0 freetype2) $(BAN) -std=c17) \
	    2>/dev/null && printf '%s\n' $(WASM_SHIM) | xargs -P2 -n1 -I{} clang-tidy --quiet {} -- $(filter-out -Werror,$(WASM_CFLAGS)) -include src/browser/shim/wasi.h \
	    2>/dev/null && echo "clang-tidy: clean"

.PHONY: format
format:
	clang-format -i $(OURS_ALL)

# ---- fuzz, bench ----------------------------------------------------------------------------------------
FUZZ_SECONDS ?= 60
FUZZERS := $(sort $(wildcard tests/fuzz/*.c))
.PHONY: fuzz
fuzz:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(FUZZ_PACKAGES)'
	@$(MAKE) --no-print-directory -j2 MODE=fuzz CC=clang fuzzers
	@bash tests/fuzz.sh build/fuzz $(FUZZ_SECONDS) $(FUZZERS)
.PHONY: fuzzers
fuzzers: $(FUZZERS:%.c=$(B)/%)
$(B)/tests/fuzz/%: tests/fuzz/%.c $(wildcard tests/fuzz/*.h) $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) -Itests $(filter-out -fsanitize=%,$(ALL_CFLAGS)) -fsanitize=fuzzer,address,undefined -o $@ $< $(ARCHIVES) \
	    $(B)/embed.o $(LDLIBS)

.PHONY: bench
bench:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(BENCH_PACKAGES)'
	@$(MAKE) --no-print-directory -j2 benches
	@bash tests/bench.sh $(B) $(FIGURES)
.PHONY: benches
benches: $(B)/turnpost $(B)/turnpost-picture $(patsubst %.c,$(B)/%,$(wildcard tests/bench/*.c))
$(B)/tests/bench/%: tests/bench/%.c $(wildcard tests/bench/*.h) $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(ARCHIVES) $(B)/embed.o $(LDLIBS)

# The rules of another commit and these play the same games: BASE=<commit>, GAMES=200 of each ruleset, RULES="galaxy_farmer".
GAMES ?= 200
.PHONY: lockstep
lockstep:
	@CC='$(CC)' bash tests/lockstep/lockstep.sh '$(BASE)' '$(GAMES)' $(RULES)

# ---- growth ---------------------------------------------------------------------------------------------
# Every parser over every family of bytes, in a build that counts its basic blocks (gcc) and the bytes that the C
# library goes over for it: work must grow as the bytes do. GROWTH_SIZE: the most bytes.
COUNT_CALLS := memchr memrchr memmem memcpy memmove memset memcmp strlen strchr strrchr strstr strcmp iconv_open \
               crypto_sign_verify_detached crypto_core_ed25519_is_valid_point crypto_generichash crypto_hash_sha512
.PHONY: growth growth_program
growth:
	@$(MAKE) --no-print-directory -j2 MODE=count CC=gcc growth_program
	@build/count/tests/growth/growth
growth_program: $(B)/tests/growth/growth
$(B)/tests/growth/growth: $(wildcard tests/growth/*.c tests/growth/*.h) $(HOUSE) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(filter-out -fsanitize-coverage=%,$(ALL_CFLAGS)) -Wno-builtin-declaration-mismatch $(ALL_LDFLAGS) \
	    $(COUNT_CALLS:%=-Wl,--wrap=%) -o $@ $(filter %.c,$^) $(HOUSE) $(B)/embed.o $(LDLIBS)

# ---- simulation -----------------------------------------------------------------------------------------
# Whole leagues in one process and in virtual time, from one number (tests/sim/README.md): make sim SEED=7 DAYS=20 SIM="press=0".
SIM_CALLS = open write pwrite ftruncate rename unlink remove rmdir mkdir syncfs time clock_gettime nanosleep usleep nap pthread_create pthread_join clock_kept thread_begin \
             league_sink league_source batch_take network_open network_close network_ask program_entry $(REMEMBERED)
SIM_FILES := $(wildcard tests/sim/*.c) tests/mutations/remember.c
$(B)/tests/sim/sim: $(SIM_FILES) $(wildcard tests/sim/*.h) tests/house/domain.h tests/luck.h tests/scratch.h $(ARCHIVES) $(B)/embed.o $(B)/flags
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) $(ALL_LDFLAGS) $(SIM_CALLS:%=-Wl,--wrap=%) -o $@ $(SIM_FILES) $(ARCHIVES) $(B)/embed.o $(LDLIBS)
SEED ?= 1
DAYS ?= 20
.PHONY: sim sim-program night sim-coverage sim-faults
sim-program: $(B)/tests/sim/sim
sim: $(B)/tests/sim/sim
	@$< $(SEED) $(DAYS) $(SIM)
# HOURS on all cores, a quarter of it under sanitizers: a line for each red seed, all of them in build/night.
HOURS ?= 8
night:
	@$(MAKE) --no-print-directory -j2 sim-program
	@$(MAKE) --no-print-directory -j2 MODE=asan sim-program
	@bash tests/sim/night.sh $(HOURS) build/release/tests/sim/sim build/asan/tests/sim/sim build/night
# Faults that are put back, one after the other (FAULTS: some of them), until a seed is red.
sim-faults: $(B)/tests/sim/sim
	@bash tests/sim/faults.sh $(FAULTS)
# What SEEDS leagues reach, by room; as in a night, every fourth is one of three hosts.
SEEDS ?= 12
sim-coverage:
	@$(MAKE) --no-print-directory -j2 MODE=cov CC=gcc sim-program
	@find build/cov -name '*.gcda' -delete
	@seq $(SEEDS) | xargs -P2 -I{} sh -c 'case $$(({} % 4)) in 0) how="3 hosts=3 minutes=60" ;; *) how="$(DAYS)" ;; esac; \
	    build/cov/tests/sim/sim {} $$how $(SIM) 2>/dev/null | cut -c1-200'
	@python3 tests/sim/coverage.py build/cov

# Which outcomes of conditions all suites together have shown to decide (MC/DC), in these rooms; by gcc 14 or newer.
MCDC_ROOMS ?= orders trust mail journal game
.PHONY: mcdc
mcdc:
	@echo 'int main(void) { return 0; }' | $(CC) -fcondition-coverage -x c -fsyntax-only - 2>/dev/null || \
	    { echo "make mcdc needs gcc 14 or newer (Debian 13), which knows -fcondition-coverage; this is $(CC) $$($(CC) -dumpversion)"; exit 1; }
	@[ ! -e build/mcdc ] || find build/mcdc -name '*.gcda' -delete
	@bad=0; $(MAKE) --no-print-directory -j2 MODE=mcdc suites && $(MAKE) --no-print-directory MODE=mcdc together || bad=1; \
	    python3 tests/mcdc.py build/mcdc $(MCDC_ROOMS) && exit $$bad

# Long forms are not run by `make test`, but they must compile.
.PHONY: compiles
compiles:
	@printf '%s\n' $(wildcard tests/growth/*.c tests/bench/*.c) tests/mutations/competition_auditor.c $(FUZZERS) | xargs -P2 -n1 \
	    $(CC) $(CPPFLAGS) -Itests $(CHECK_CFLAGS) $(ALL_CFLAGS) -Wno-builtin-declaration-mismatch -fsyntax-only

# ---- mutations ------------------------------------------------------------------------------------------
# Games with every kind of record are played, and changed in every way; our audit and the verifier of tests/verifier must
# find each change and name the record.
AUDITOR := tests/mutations/auditor.c tests/mutations/remember.c
REMEMBERED := crypto_sign_verify_detached crypto_core_ed25519_is_valid_point vrf_verify
$(B)/tests/mutations/auditor: $(AUDITOR) $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(REMEMBERED:%=-Wl,--wrap=%) -o $@ $(AUDITOR) $(ARCHIVES) $(B)/embed.o $(LDLIBS)
$(B)/tests/mutations/competition_auditor: tests/mutations/competition_auditor.c tests/mutations/remember.c $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(REMEMBERED:%=-Wl,--wrap=%) -o $@ $(filter %.c,$^) $(ARCHIVES) $(B)/embed.o $(LDLIBS)
.PHONY: mutations mutators
mutators: $(B)/tests/mutations/auditor $(B)/tests/audit/every_record $(B)/tests/mutations/competition_auditor $(B)/tests/audit/competition $(B)/tests/batch/results
mutations: mutators
	@LONG=1 python3 tests/verifier/selftest.py
	@LONG=1 python3 tests/mutations/competitions.py $(B)
	@python3 tests/mutations/league_results.py $(B)
	@LONG=1 python3 tests/mutations/mutations.py $(B)

# ---- models ---------------------------------------------------------------------------------------------
# Models in SPIN of what must hold wherever a crash comes; each barrier that is left out must be noticed.
.PHONY: model model-alone
model:
	@bash tests/model/model.sh $(B)
# In make test without what is left out: the models change seldom.
model-alone:
	@bash tests/model/model.sh $(B) alone

# Proofs of the smallest readers, for all bytes up to so many; and that each proof notices a fault.
.PHONY: prove
prove:
	@bash tests/prove/prove.sh

# ---- DKIM -----------------------------------------------------------------------------------------------
# Mails that are signed in every form and then damaged: trust/dkim against python3-dkim.
DKIM_MAILS ?= 10000
JUDGE_LIBS := $(B)/libmail.a $(call archives,trust)
$(B)/tests/dkim/judge: tests/dkim/judge.c $(JUDGE_LIBS)
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(JUDGE_LIBS) $(LDLIBS)
.PHONY: dkim judge
judge: $(B)/tests/dkim/judge
dkim: judge
	@/usr/bin/python3 tests/dkim/differential.py $(B)/tests/dkim/judge $(DKIM_MAILS)

# ---- ratings --------------------------------------------------------------------------------------------
# The same list from every compiler and machine that there is one for here.
.PHONY: ratings
ratings:
	@bash tests/rating/machine/machines.sh

# ---- in the browser -------------------------------------------------------------------------------------
# The audit with rules and order language as WebAssembly (src/browser/README.md). Of the rooms of src/rooms what the audit
# needs; where it needs another file one day, that one's function is missing when it is linked.
W             := build/wasm
WASM_CC       := clang
WASM_FILES    := $(filter-out src/game/game_load.c src/rules/meant.c src/orders/typed%.c src/audit/audit_compete%.c src/audit/audit_results.c src/audit/gate.c, \
                     $(foreach r,chance orders rules game audit browser,$(call sources,$(r)))) \
                 $(addprefix src/base/,$(addsuffix .c,arena clock date embed encode err file json json_read lines mem moment nearest reason \
                     str utf8 value version zone)) \
                 $(addprefix src/trust/,$(addsuffix .c,canon client_data ecdsa fido format format_ecdsa format_fido format_fido_ecdsa \
                     format_minisign format_openssh format_signify format_webauthn glyph key mailbox numbered p256 signature signature_json sshsig wire)) \
                 $(addprefix src/tlog/,$(addsuffix .c,checkpoint entry note policy proof strict tree witness)) \
                 src/journal/record.c src/journal/seal.c src/league/name_list.c src/league/outside.c src/league/schedule.c src/play/deadline.c src/play/facts.c
WASM_SHIM     := $(sort $(wildcard src/browser/shim/*.c))
WASM_OBJECTS  := $(patsubst src/%.c,$(W)/%.o,$(WASM_FILES) $(WASM_SHIM)) $(W)/embed.o
# Without the folder's name and without time in it: two builds give the same bytes.
WASM_CFLAGS   := --target=wasm32-wasi -std=c17 -D_GNU_SOURCE -DTURNPOST_VERSION='"$(VERSION)"' -Oz -ffunction-sections -fdata-sections \
                 -Wall -Wextra $(WERROR) -Isrc/browser/shim -Isrc
WASM_FIRST    := -include $(W)/first/wasi.h
WASM_LDFLAGS  := --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections,--strip-all,--stack-first,-z,stack-size=4194304 \
                 -Wl,--max-memory=536870912,--wrap=file_read,--wrap=file_open,--wrap=close
$(W)/rules.wasm: $(WASM_OBJECTS)
	@echo "  LINK  $@"
	@$(WASM_CC) $(WASM_LDFLAGS) -o $@ $^
$(W)/rules.wasm.sha256: $(W)/rules.wasm
	@sha256sum < $< | cut -d' ' -f1 > $@
$(W)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(WASM_CC) $(WASM_CFLAGS))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(WASM_CC) $(WASM_CFLAGS))' > $@
$(eval $(call first_rule,$(W)/first/wasi.h,browser/shim/wasi.h,$$(WASM_CC) $$(WASM_CFLAGS),$(W)/flags))
$(WASM_SHIM:src/%.c=$(W)/%.o): WASM_FIRST := -include src/browser/shim/wasi.h -O2
$(W)/%.o: src/%.c $(W)/first/wasi.h.gch
	@mkdir -p $(@D)
	@echo "  WASM  $<"
	@$(WASM_CC) $(WASM_CFLAGS) $(WASM_FIRST) -MMD -MP -c -o $@ $<
$(W)/embed.c: $(sort $(wildcard src/rules/*/cards.json)) src/build/embed_bytes.sh
	@mkdir -p $(@D)
	@bash src/build/embed_bytes.sh $(filter %.json,$^) > $@
$(W)/embed.o: $(W)/embed.c
	@$(WASM_CC) $(WASM_CFLAGS) -c -o $@ $<
# The folder as a site publishes it.
$(W)/check/%: templates/site/check/%
	@mkdir -p $(@D)
	@cp $< $@
$(W)/check/rules.wasm: $(W)/rules.wasm $(W)/rules.wasm.sha256
	@mkdir -p $(@D)
	@cp $^ $(@D)
$(W)/check/package.json:
	@mkdir -p $(@D)
	@echo '{"type":"module"}' > $@
.PHONY: wasm wasm-build wasm-short wasm-test wasm-twice
wasm-build: $(W)/check/rules.wasm $(patsubst templates/site/check/%,$(W)/check/%,$(wildcard templates/site/check/*))
wasm:
	@$(MAKE) --no-print-directory packages NEED='$(WASM_PACKAGES)'
	@$(MAKE) --no-print-directory -j2 wasm-build
	@echo "$(W)/rules.wasm: $$(stat -c %s $(W)/rules.wasm) bytes, SHA-256 $$(cat $(W)/rules.wasm.sha256)"

# The twin: the same sources with the libraries themselves. Signatures and proofs that it has seen it remembers.
$(B)/tests/wasm/twin: tests/wasm/twin.c tests/mutations/remember.c $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(REMEMBERED:%=-Wl,--wrap=%) -o $@ $(filter %.c,$^) $(ARCHIVES) $(B)/embed.o $(LDLIBS)
# The check in the browser against turnpost audit: some games in short, as a part of make test; all of them, 2,000 changes, and
# two builds that must give the same bytes in wasm-test.
SHIM_TESTED := $(addprefix src/browser/shim/,hash.c curve.c sodium.c p256_verify.c)
$(B)/tests/wasm/shim: tests/wasm/shim.c tests/wasm/shim_names.h $(SHIM_TESTED) $(ARCHIVES) $(B)/embed.o
	@mkdir -p $(@D)/shim.parts
	@for file in $(SHIM_TESTED); do $(CC) -D_GNU_SOURCE -Isrc/browser/shim -Isrc -include tests/wasm/shim_names.h -std=c17 -O2 -fPIE \
	    -c -o $(@D)/shim.parts/$$(basename $$file .c).o $$file || exit 1; done
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(@D)/shim.parts/*.o $(ARCHIVES) $(B)/embed.o $(LDLIBS)
.PHONY: wasm-tools
wasm-tools: $(W)/check/package.json $(B)/tests/wasm/twin $(B)/tests/wasm/shim
wasm-short: wasm-build wasm-tools $(B)/turnpost
	@$(B)/tests/wasm/shim 50
	@node tests/wasm/vectors.mjs $(W)/check
	@python3 tests/wasm/agree.py $(B) $(W)/check
wasm-test: mutators
	@$(MAKE) --no-print-directory packages NEED='$(WEB_PACKAGES)'
	@$(MAKE) --no-print-directory wasm
	@$(MAKE) --no-print-directory wasm-short wasm-twice
	@$(B)/tests/wasm/shim 3000
	@python3 tests/wasm/browser.py $(W)/check
	@LONG=1 python3 tests/wasm/agree.py $(B) $(W)/check
wasm-twice: wasm-build
	@bash tests/wasm/twice.sh

# ---- packages, demo, install ----------------------------------------------------------------------------
# Installs what is missing on Debian and its children; elsewhere says what is needed.
.PHONY: deps packages
deps:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(TEST_PACKAGES) $(LINT_PACKAGES) $(FUZZ_PACKAGES) $(WASM_PACKAGES)'
packages:
	@bash src/build/packages.sh $(NEED)

.PHONY: demo
demo:
	@$(MAKE) --no-print-directory packages NEED='$(BUILD_PACKAGES) $(DEMO_PACKAGES)'
	@mkdir -p build && echo 'Building Turnpost: some minutes, the first time (log: build/build.log)'
	@$(MAKE) --no-print-directory -j2 all >build/build.log 2>&1 || { tail -20 build/build.log; exit 1; }
	@python3 src/build/demo.py $(B)/turnpost build/demo

.PHONY: install uninstall
MANPAGES := $(wildcard src/commands/man/*.[15])
# Units and pages name the program where it is installed; the pages for people and what they link to go along, templates as
# examples for a league's own.
install: $(B)/turnpost $(B)/turnpost-picture
	@bash src/build/install.sh $(B)/turnpost '$(DESTDIR)' '$(PREFIX)'
uninstall:
	rm -f $(foreach m,bin/turnpost bin/turnpost-picture $(foreach m,$(MANPAGES),share/man/man$(patsubst .%,%,$(suffix $(m)))/$(notdir $(m))),'$(DESTDIR)$(PREFIX)/$(m)')
	rm -rf '$(DESTDIR)$(PREFIX)/share/turnpost' '$(DESTDIR)$(PREFIX)/share/doc/turnpost'

.PHONY: clean
clean:
	rm -rf build

.PHONY: help
help:
	@echo 'make demo       installs what is missing, builds, plays a turn of Galaxy Command with you by mail'
	@echo 'make test       everything that has to hold (about six minutes)'
	@echo 'make            builds build/release/turnpost; MODE=debug, MODE=asan, CC=clang'
	@echo 'make deps       installs all packages for building, testing, linting and fuzzing'
	@echo 'make unit       the suites alone; ROOM=trust for one room'
	@echo 'make e2e        the end to end tests alone; SERVERS=cyrus,exim or opensmtpd: on other mail servers; STORE=postgres: leagues in PostgreSQL'
	@echo 'make differential OLD=PROGRAM   an older build and this one read all recorded mails; what differs is printed'
	@echo 'make cluster    ten minutes of three hosts that serve one league while hosts, lines and databases fail'
	@echo 'make sanitized  all suites with address and undefined behaviour sanitizers; make test: those of the low rooms'
	@echo 'make many       all suites with more random games and damages than make test has'
	@echo 'make golden     rewrites the golden files'
	@echo 'make gallery    pictures of all boards, to be looked at: build/gallery/index.html'
	@echo 'make lint       rooms, clang-format, cppcheck, clang-tidy'
	@echo 'make words      codes of refusals and their words in templates, held against each other'
	@echo 'make model      models of the commit, witnesses, rekeys and several workers: no crash, at any point, loses or doubles'
	@echo 'make prove      proves the readers of dates, numbers, base64, UTF-8 and the SSH wire for all bytes; needs cbmc (Debian 13)'
	@echo 'make sim        a whole league simulated from a number: SEED=7 DAYS=20; make night: for HOURS=8 on all cores; make sim-coverage, sim-faults'
	@echo 'make mcdc       which outcomes of conditions the suites have shown to decide (MC/DC), by room; needs gcc 14'
	@echo 'make house      the rooms of src/: files, lines, circles of calls, what is too large'
	@echo 'make fuzz       each fuzzer for FUZZ_SECONDS=60 seconds'
	@echo 'make crash faults damage servers hostile season cheats honest matrix properties mutations dkim ratings tsan   the long forms of what make test does in short'
	@echo 'make phone      measures the mails of whole games on telephones, in Chromium: sizes, budgets, accessibility'
	@echo 'make systems    demo, test, fuzz and clang on Debian 12 and 13, each in a root of its own; SYSTEMS=trixie for one (needs root)'
	@echo 'make site-test  every page of a site in Chromium and Firefox; pictures in build/gallery'
	@echo 'make page-test  the order page in Chromium and Firefox, a whole game; pictures in build/gallery'
	@echo 'make lockstep   BASE=COMMIT: the rules of another commit and these play the same games, to the byte'
	@echo 'make growth     parsers over families of bytes: work must grow as the bytes do (a part of make hostile)'
	@echo 'make bench      measures, side by side with references; FIGURES="turns batch" for some'
	@echo 'make wasm       the check of a game for browsers: rules.wasm; make wasm-short, make wasm-test: against turnpost audit'
	@echo 'make install    PREFIX=/usr/local DESTDIR=; make uninstall; make clean'

-include $(shell find $(B) $(W) -name '*.d' 2>/dev/null)
