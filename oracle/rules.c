/*
 * The one list of rules: what may stand in a finding's `rule`, with which
 * severity. Families and rules are in the order of the table of spec 06; a new
 * rule needs its page (docs/rules/) and its examples (corpus/rules/) too.
 */
#include "oracle/judge.h"

#include <string.h>

#define E (1u << ORACLE_ERROR)
#define W (1u << ORACLE_WARNING)
#define N (1u << ORACLE_NOTE)

static const oracle_family families[] = {
    {"doc", "a document that cannot be read, or is not judged"},
    {"score", "a Score that contradicts itself or its companions"},
    {"graph", "edges and deps that cannot be meant"},
    {"hazard", "tasks that touch the same bytes without an order"},
    {"task", "what goes on inside one task"},
    {"predicate", "the condition of a task"},
    {"host", "what the orchestration does while it builds the graph"},
    {"direction", "what a callee does against what it is told"},
    {"edge", "orders that nobody needs"},
    {"policy", "edges that are not what the named policy gives"},
    {"memory", "a memory plan"},
    {"handle", "a PlanHandle against its Score"},
    {"hbg", "a host_build_graph plan against Score and PlanHandle"},
    {"limit", "more than the runtime takes"},
    {"runtime", "the record of a run against its plan"},
    {"adapter", "what a Score has lost of its task graph"},
    {"trace", "the times of a run"},
    {"diff", "two answers that must be equal"},
    {"planner", "the planner under test"},
    {"replay", "runs on the simulator"},
    {"gate", "golden files"},
};

static const oracle_rule rules[] = {
    {"doc.syntax", E, "the text is not strict JSON, or no whole dump"},
    {"doc.schema", E, "a field is missing or of another type"},
    {"doc.range", E, "a number is outside of what is allowed"},
    {"doc.incomplete", W, "a part is missing, as in a cut record"},
    {"doc.unsupported", W, "readable, and not judged"},
    {"doc.unknown-field", W, "a field that the format does not have"},

    {"score.valid", E, "the Score breaks a rule of validation"},
    {"score.fingerprint", E, "a fingerprint is of another Score"},
    {"score.identity", E, "one fingerprint, two meanings"},

    {"graph.cycle", E, "tasks wait for each other in a ring"},
    {"graph.edge-end", E, "an edge names a task that is not there"},
    {"graph.self-edge", E, "a task waits for itself"},
    {"graph.duplicate-edge", N, "the same edge twice"},
    {"graph.dead-dep", W, "a dep that never holds a valid TaskId"},

    {"hazard.raw", E, "a read does not wait for its write"},
    {"hazard.waw", E, "two writes in no fixed order, and a read"},
    {"hazard.war", E, "a write does not wait for an earlier read"},
    {"hazard.uninitialised", E | W, "bytes are read that nobody has written"},
    {"hazard.dead-write", N, "two writes in no fixed order, nobody reads"},
    {"hazard.unknown-access", W, "unordered, and bytes that may meet"},

    {"task.self-overlap", E | W, "two arguments of a task share bytes"},
    {"task.block-race", E, "two blocks of a task touch the same bytes"},

    {"predicate.stale", E, "a predicate may be decided on an old value"},
    {"predicate.form", E, "a predicate that no dispatcher evaluates"},

    {"host.stale-read", E, "bytes of a task that has not run yet"},

    {"direction.mismatch", W | N, "a callee does what nobody is told"},

    {"edge.fan-in", N, "more predecessors than the runtime takes"},
    {"edge.false", N, "tasks that share no bytes wait"},
    {"edge.kind", W, "a label claims what the bytes do not say"},
    {"edge.redundant", N, "another path says the same"},

    {"policy.edges", W, "the edges are not those of the policy"},
    {"policy.fallback", W, "dataflow was turned off for all tasks"},

    {"memory.overlap", E, "two live buffers share addresses"},
    {"memory.parallel-reuse", E, "a reuse that is right in one order only"},
    {"memory.external", E, "a buffer lies on a parameter"},
    {"memory.alias-split", E, "one storage at two places"},
    {"memory.bounds", E, "a place outside of the memory"},
    {"memory.missing", E, "a used buffer has no place"},
    {"memory.peak", E, "the stated peak is wrong"},
    {"memory.alignment", E, "a declared alignment is not kept"},
    {"memory.unknown-size", W, "the size of a used buffer is not known"},
    {"memory.interleaved", N, "a reuse without order that harms nobody"},
    {"memory.waste", N, "the peak is above the lower bound"},

    {"handle.contract-version", E, "another version of the contract"},
    {"handle.func-id", E, "one name, two functions"},
    {"handle.func-missing", E, "the registry lacks a function"},
    {"handle.func-unreferenced", E, "the registry has one too many"},
    {"handle.binding-argument", E, "a binding for no argument"},
    {"handle.binding-key", E, "a binding names another storage key"},
    {"handle.binding-direction", E, "a binding names another direction"},
    {"handle.binding-missing", E, "an argument without a binding"},

    {"hbg.metadata", E, "metadata that are not the PlanHandle's"},
    {"hbg.task", E, "a task row that is not the Score's task"},
    {"hbg.args", E, "an argument that is not the bound handle"},
    {"hbg.scalar-lost", E, "the value of a scalar gets lost"},
    {"hbg.edges", E, "the edge table is not the Score's list"},

    {"limit.tensors", E, "a task has too many tensors"},
    {"limit.scalars", E, "a task has too many scalars"},
    {"limit.functions", E, "too many functions are called"},
    {"limit.externals", E, "too many tensors come from outside"},
    {"limit.scopes", E, "too many scopes lie one in the other"},
    {"limit.dimensions", E, "a tensor has too many dimensions"},
    {"limit.blocks", E, "a task has too many blocks x lanes"},
    {"limit.sync-start", E, "more blocks than cores, to start at once"},
    {"limit.ready", E, "too many tasks are ready at the start"},
    {"limit.tasks", W, "more tasks than the runtime keeps by default"},

    {"runtime.lost-edge", E, "an order that was asked for and not kept"},

    {"adapter.lost-fact", W, "the Score lacks what the task graph says"},

    {"trace.order", E, "a consumer started before its producer ended"},
    {"trace.race", E, "two that conflict ran at the same time"},

    {"diff.accept", E, "refused by one, or refused otherwise"},
    {"diff.encoding", E, "a Score has other bytes than it must have"},
    {"diff.fingerprint", E, "a fingerprint is another"},
    {"diff.validate", E, "a Score is valid for one, or for other reasons"},
    {"diff.order", E, "dependencies are not those of the policy"},
    {"diff.liveness", E, "lifetimes, conflicts or aliases are others"},
    {"diff.memory", E, "a memory plan is another"},
    {"diff.tables", E, "a handle or host_build_graph plan is another"},
    {"diff.graph", E, "a graph is not that of its Score or program"},
    {"diff.roundtrip", E, "what was read and written again is another"},
    {"diff.repeat", E, "the same question has two answers"},
    {"diff.metamorphic", E, "related inputs, verdicts that do not fit"},
    {"diff.expected", E, "not what is known of the input"},
    {"diff.frontend", E | W, "a dump and what lies beside it differ"},
    {"diff.plan", E, "two documents of one plan are two plans"},
    {"diff.stage", E | W, "two stages of a dump differ"},

    {"planner.crash", E, "it ended while it worked"},
    {"planner.timeout", E, "it gave no answer in time"},
    {"planner.memory", E, "it used more memory than it may"},
    {"planner.protocol", E, "it gave an answer that is none"},

    {"replay.differs", E | W, "a legal run gives other bytes"},
    {"replay.disagrees", E, "the simulator contradicts the verdict"},

    {"gate.changed", E, "an answer is not the blessed one"},
    {"gate.new", E, "a case without a golden file"},
    {"gate.orphan", E, "a golden file without its case"},
    {"gate.missing", E, "a listed case has no golden file"},
};

const oracle_rule *oracle_rule_list(uint32_t *count)
{
    *count = sizeof rules / sizeof *rules;
    return rules;
}

const oracle_family *oracle_family_list(uint32_t *count)
{
    *count = sizeof families / sizeof *families;
    return families;
}

const oracle_rule *oracle_rule_find(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

bool oracle_rule_allows(const char *name, oracle_severity severity)
{
    const oracle_rule *rule = oracle_rule_find(name);
    return rule != NULL && (rule->severities & 1u << severity) != 0;
}
