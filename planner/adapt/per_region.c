/* A Score for each static region, and what joins the regions. */
#include <stdlib.h>

#include "../score/document.h"
#include "borders.h"
#include "load.h"
#include "program.h"
#include "storage.h"

/* The program in parts, one per region. */
typedef struct parts {
    const sonata_program *program;
    const sonata_ir_options *options;
    sonata_region_plans *plans;
    uint32_t list; /* of statements, or NONE: the whole is one part */
    const sonata_ir *ir;
    sonata_roots roots;  /* of the IR, with the entry name where it is whole */
    uint32_t *ends;      /* per region: its steps end before this one */
    sonata_text *keys;   /* per variable */
    sonata_table params; /* storage keys of parameters */
    uint32_t *marks;     /* per number in it: the last region that uses it */
    uint32_t *numbers;   /* per number in it: the parameter */
    sonata_error *error;
} parts;

static sonata_status take_regions(parts *p, sonata_regions *regions)
{
    sonata_region_plans *plans = p->plans;
    sonata_status status = sonata_ir_regions(regions, p->program, p->error);
    if (status != SONATA_OK)
        return status;
    plans->items = calloc(regions->count, sizeof *plans->items);
    p->ends = calloc(regions->count, sizeof *p->ends);
    if (plans->items == NULL || p->ends == NULL)
        return sonata_fail_memory(p->error);
    plans->count = regions->count;
    plans->static_count = regions->static_count;
    for (size_t i = 0; i < regions->count; i++)
        plans->items[i].region = regions->items[i];
    plans->memory = regions->memory; /* of the messages */
    regions->memory = NULL;
    return SONATA_OK;
}

/* Walks each region by itself. */
static sonata_status load_parts(parts *p)
{
    size_t count = p->plans->count;
    sonata_ir *ir = calloc(1, sizeof *ir);
    uint32_t *bounds = reallocarray(NULL, count, sizeof *bounds);
    p->plans->parts = ir;
    sonata_status status = SONATA_OK;
    if (ir == NULL || bounds == NULL)
        status = sonata_fail_memory(p->error);
    uint32_t at = 0;
    for (size_t i = 0; i < count && status == SONATA_OK; i++) {
        at += (uint32_t)p->plans->items[i].region.node_count;
        bounds[i] = at;
    }
    if (status == SONATA_OK)
        status = sonata_ir_load_parts(ir, p->ends, &p->program->source, p->list,
                                      bounds, count, p->error);
    p->ir = ir;
    free(bounds);
    return status;
}

static sonata_status prepare(parts *p)
{
    sonata_text entry = {0};
    sonata_status status = SONATA_OK;
    p->list = sonata_statement_list(&p->program->source);
    p->ir = &p->program->ir;
    if (p->list != SONATA_SOURCE_NONE)
        status = load_parts(p);
    else if (p->options != NULL)
        entry = p->options->entry;
    if (status == SONATA_OK)
        status = sonata_roots_select(&p->roots, p->ir, entry, p->error);
    if (status == SONATA_OK)
        status = sonata_storage_keys(&p->keys, p->plans->memory, &p->roots,
                                     p->error);
    return status;
}

/* Numbers the parameters by the storage keys that they begin with: the first
 * of each counts. */
static sonata_status number_params(parts *p)
{
    size_t count = p->ir->param_count;
    sonata_ir_root root = p->ir->roots[0];
    const sonata_ir_root *item = &root;
    sonata_roots before = {.ir = p->ir, .items = &item, .count = 1};
    sonata_text *keys = NULL;
    root.steps = 0;
    sonata_status status =
        sonata_storage_keys(&keys, p->plans->memory, &before, p->error);
    if (status != SONATA_OK)
        return status;
    p->marks = calloc(count + 1, sizeof *p->marks);
    p->numbers = calloc(count + 1, sizeof *p->numbers);
    bool ok = p->marks != NULL && p->numbers != NULL;
    for (size_t i = 0; i < count && ok; i++) {
        sonata_text key = keys[p->ir->params[i].variable];
        uint32_t number = 0;
        bool is_new = false;
        if (key.text == NULL)
            continue;
        ok = sonata_table_put(&p->params, &number, &is_new, 0, key);
        if (ok && is_new)
            p->numbers[number] = (uint32_t)i;
    }
    return ok ? SONATA_OK : sonata_fail_memory(p->error);
}

static int by_number(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

/* Goes through the keys of a region's task arguments and appends the
 * parameters not yet marked; without `used` it only counts them. */
static uint32_t mark_params(parts *p, const sonata_ir_root *part, uint32_t mark,
                            uint32_t *used)
{
    const sonata_ir *ir = p->ir;
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->steps; i++) {
        const sonata_ir_step *step = &ir->steps[part->first_step + i];
        if (step->kind != SONATA_IR_VISIT_CALL ||
            !sonata_ir_is_task(&ir->calls[step->call]))
            continue;
        const sonata_ir_call *call = &ir->calls[step->call];
        for (uint32_t k = 0; k < call->args; k++) {
            uint32_t variable = ir->args[call->first_arg + k].variable;
            uint32_t number = 0;
            if (variable == SONATA_IR_NONE || p->keys[variable].text == NULL ||
                !sonata_table_find(&p->params, &number, 0, p->keys[variable]) ||
                p->marks[number] == mark)
                continue;
            p->marks[number] = mark;
            if (used != NULL)
                used[count] = p->numbers[number];
            count++;
        }
    }
    return count;
}

/* The parameters whose storage the tasks of a region name, in order. */
static bool take_params(parts *p, sonata_ir *ir, sonata_ir_root *part,
                        size_t region)
{
    uint32_t mark = (uint32_t)region * 2 + 1; /* fewer than 2^31 regions */
    uint32_t count = mark_params(p, part, mark, NULL);
    uint32_t *used = reallocarray(NULL, (size_t)count + 1, sizeof *used);
    ir->params =
        sonata_arena_array(p->plans->memory, count, sizeof *ir->params);
    bool ok = used != NULL && ir->params != NULL;
    if (ok) {
        mark_params(p, part, mark + 1, used);
        qsort(used, count, sizeof *used, by_number);
        for (uint32_t i = 0; i < count; i++)
            ir->params[i] = p->ir->params[used[i]];
        ir->param_count = count;
        part->first_param = 0;
        part->params = count;
    }
    free(used);
    return ok;
}

/* "<name>.r<region>"; an empty name stays empty, and is not valid. */
static bool name_part(sonata_ir *ir, sonata_arena *arena, size_t region)
{
    sonata_text name =
        ir->name.text == NULL ? SONATA_TEXT("sonata_score") : ir->name;
    if (name.length > 0)
        name = SONATA_JOIN(arena, name, SONATA_TEXT(".r"),
                           sonata_text_int(arena, (int64_t)region));
    ir->name = name;
    return name.text != NULL;
}

/* The steps of a region, as a root of its own. */
static sonata_ir_root part_of(const parts *p, size_t region)
{
    sonata_ir_root part = p->ir->roots[0];
    part.first_step = region == 0 ? 0 : p->ends[region - 1];
    part.steps = p->ends[region] - part.first_step;
    return part;
}

static sonata_status plan_region(parts *p, size_t region)
{
    sonata_ir ir = *p->ir; /* borrows all of it */
    sonata_ir_root part;
    sonata_extract_options options = sonata_ir_extract_options(p->options);
    if (!name_part(&ir, p->plans->memory, region))
        return sonata_fail_memory(p->error);
    if (p->list != SONATA_SOURCE_NONE) {
        part = part_of(p, region);
        if (!take_params(p, &ir, &part, region))
            return sonata_fail_memory(p->error);
        ir.roots = &part;
        ir.root_count = 1;
        options.keys = p->keys;
    }
    return sonata_extract(&p->plans->items[region].result, &ir, &options,
                          p->error);
}

static sonata_status find_borders(parts *p)
{
    sonata_borders b;
    sonata_status status =
        sonata_borders_begin(&b, p->ir, &p->roots, p->keys, p->error);
    for (size_t i = 0; i < p->plans->count && status == SONATA_OK; i++) {
        if (p->list == SONATA_SOURCE_NONE) {
            for (size_t k = 0; k < p->roots.count; k++)
                sonata_borders_look(&b, p->roots.items[k]);
        } else {
            sonata_ir_root part = part_of(p, i);
            sonata_borders_look(&b, &part);
        }
        status = sonata_borders_end_region(
            &b, &p->plans->items[i].has_unknown_access, p->error);
    }
    p->plans->borders = b.borders;
    p->plans->border_count = b.border_count;
    b.borders = NULL;
    sonata_borders_free(&b);
    return status;
}

static sonata_status plan_all(parts *p)
{
    sonata_status status = prepare(p);
    if (status == SONATA_OK && p->list != SONATA_SOURCE_NONE)
        status = number_params(p);
    for (size_t i = 0; i < p->plans->count && status == SONATA_OK; i++)
        if (!p->plans->items[i].region.is_dynamic)
            status = plan_region(p, i);
    return status == SONATA_OK ? find_borders(p) : status;
}

sonata_status sonata_ir_plan_regions(sonata_region_plans *plans,
                                     const sonata_program *program,
                                     const sonata_ir_options *options,
                                     sonata_error *error)
{
    sonata_regions regions = {0};
    *plans = (sonata_region_plans){0};
    parts p = {
        .program = program, .options = options, .plans = plans, .error = error};
    sonata_status status = take_regions(&p, &regions);
    if (status == SONATA_OK)
        status = plan_all(&p);
    sonata_regions_free(&regions);
    sonata_roots_free(&p.roots);
    sonata_table_free(&p.params);
    free(p.ends);
    free(p.marks);
    free(p.numbers);
    if (status != SONATA_OK)
        sonata_region_plans_free(plans);
    return status;
}

void sonata_region_plans_free(sonata_region_plans *plans)
{
    for (size_t i = 0; i < plans->count; i++)
        sonata_eligibility_free(&plans->items[i].result);
    if (plans->parts != NULL) {
        sonata_ir_free(plans->parts);
        free(plans->parts);
    }
    if (plans->memory != NULL) {
        sonata_arena_free(plans->memory);
        free(plans->memory);
    }
    free(plans->items);
    free(plans->borders);
    *plans = (sonata_region_plans){0};
}

static void write_border(sonata_json *w, const sonata_border *border)
{
    sonata_json_object(w);
    sonata_json_key(w, "consumer");
    sonata_json_int(w, (int64_t)border->consumer);
    sonata_json_key(w, "kind");
    sonata_json_string(w, border->kind);
    sonata_json_key(w, "producer");
    sonata_json_int(w, (int64_t)border->producer);
    sonata_json_key(w, "storage_key");
    sonata_write_text(w, border->storage_key);
    sonata_json_end_object(w);
}

sonata_status sonata_region_plans_json(char **json, size_t *length,
                                       const sonata_region_plans *plans,
                                       bool pretty, sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    sonata_json_key(&w, "borders");
    sonata_json_array(&w);
    for (size_t i = 0; i < plans->border_count; i++)
        write_border(&w, &plans->borders[i]);
    sonata_json_end_array(&w);
    sonata_json_key(&w, "regions");
    sonata_json_array(&w);
    for (size_t i = 0; i < plans->count; i++) {
        const sonata_region_plan *plan = &plans->items[i];
        sonata_json_object(&w);
        sonata_write_region(&w, &plan->region, i, &plan->result,
                            plan->has_unknown_access);
        sonata_json_end_object(&w);
    }
    sonata_json_end_array(&w);
    sonata_json_key(&w, "schema_version");
    sonata_json_int(&w, 1);
    sonata_write_static_ratio(&w, plans->static_count, plans->count);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
