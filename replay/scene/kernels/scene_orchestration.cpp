/*
 * The one orchestration of a scene: submits the rows of the table (score.txt)
 * with the edges that its mode says: all of them, in a manual scope, or those
 * that the program names, and the runtime derives the rest.
 *
 * Written by counterpoint; docs/scene.md says what the words mean.
 */
#include <stdint.h>

#include <array>
#include <vector>

#include "pto_orchestration_api.h"

#include "scene_words.h"

using scene::words;

namespace
{

constexpr uint64_t align = sizeof(int64_t);

struct stage {
    std::vector<int64_t> table;
    std::vector<PTO2TaskId> ids; /* by row */
    uint64_t base;               /* of the table on the device */
    uint64_t memory;
    bool automatic;
    bool in_manual;
};

DataType type_of(int64_t code)
{
    switch (code) {
    case 0:
        return DataType::FLOAT32;
    case 1:
        return DataType::FLOAT16;
    case 2:
        return DataType::INT32;
    case 3:
        return DataType::INT16;
    case 4:
        return DataType::INT8;
    case 6:
        return DataType::BFLOAT16;
    case 7:
        return DataType::INT64;
    case 8:
        return DataType::UINT64;
    case 9:
        return DataType::UINT16;
    case 10:
        return DataType::UINT32;
    case 11:
        return DataType::BOOL;
    default:
        return DataType::UINT8;
    }
}

words storage_of(const stage &s, int64_t index)
{
    return s.table.data() + s.table[scene::head_storages] +
           index * scene::storage_words;
}

/* A view: its base is the storage, as that of an allocation is. */
ChipTensor view_of(const stage &s, words tensor)
{
    uint32_t shape[MAX_TENSOR_DIMS];
    uint32_t strides[MAX_TENSOR_DIMS];
    uint32_t dims = (uint32_t)tensor[scene::tensor_dims];
    bool empty = false;
    for (uint32_t d = 0; d < dims; d++) {
        shape[d] = (uint32_t)tensor[scene::tensor_shape + d];
        strides[d] = (uint32_t)tensor[scene::tensor_strides + d];
        empty = empty || shape[d] == 0;
    }
    words storage = storage_of(s, tensor[scene::tensor_storage]);
    uint64_t address = s.memory + (uint64_t)storage[scene::storage_view];
    ChipTensor t =
        make_tensor_strided(reinterpret_cast<void *>(address), shape, strides,
                            dims, type_of(tensor[scene::tensor_type]),
                            tensor[scene::tensor_manual_dep] != 0);
    t.buffer.size = (uint64_t)storage[scene::storage_view_bytes];
    t.start_offset = (uint64_t)tensor[scene::tensor_start];
    if (empty) {
        t.is_contiguous = true;
        t.extent_elem_cache = 0;
    }
    int64_t owner = tensor[scene::tensor_owner];
    if (s.automatic && owner >= 0)
        t.owner_task_id = s.ids[(size_t)owner];
    return t;
}

void add_tensor(CoreTaskArgs &args, ChipTensor &tensor, int64_t kind)
{
    if (kind == scene::input)
        args.add_input(tensor);
    else if (kind == scene::output_existing)
        args.add_output(tensor);
    else if (kind == scene::inout)
        args.add_inout(tensor);
    else
        args.add_no_dep(tensor);
}

void add_predicate(CoreTaskArgs &args, const stage &s, words p,
                   ChipTensor &operand)
{
    static const PredicateOp ops[] = {
        PredicateOp::NONE, PredicateOp::EQ, PredicateOp::NE, PredicateOp::GT,
        PredicateOp::LT,   PredicateOp::GE, PredicateOp::LE};
    int64_t size = p[scene::predicate_size];
    uint32_t shape[1] = {1};
    words storage = storage_of(s, p[scene::predicate_storage]);
    uint64_t address = s.memory + (uint64_t)storage[scene::storage_place] +
                       (uint64_t)p[scene::predicate_byte];
    operand = make_tensor_external(reinterpret_cast<void *>(address), shape, 1,
                                   size == 1   ? DataType::INT8
                                   : size == 2 ? DataType::INT16
                                   : size == 4 ? DataType::INT32
                                               : DataType::INT64);
    CoreTaskPredicate predicate;
    predicate.operand.tensor = &operand;
    predicate.operand.ndims = 1;
    predicate.operand.indices[0] = 0;
    predicate.op = ops[p[scene::predicate_op]];
    predicate.target = p[scene::predicate_value];
    args.set_predicate(predicate);
}

PTO2TaskId submit(const stage &s, words row, const CoreTaskArgs &args)
{
    MixedKernels kernels;
    switch (row[scene::row_core]) {
    case scene::dummy:
        return rt_submit_dummy_task(args).task_id();
    case scene::mix:
        kernels.aiv1_kernel_id = 1;
        kernels.aiv0_kernel_id = 1;
        kernels.aic_kernel_id = 0;
        break;
    case scene::aic:
        kernels.aic_kernel_id = 0;
        break;
    default:
        kernels.aiv0_kernel_id = 1;
    }
    (void)s;
    return rt_submit_task(kernels, args).task_id();
}

void add_scalars(CoreTaskArgs &args, const stage &s, int64_t index, words row)
{
    words values = s.table.data() + row[scene::row_values];
    args.add_scalar((scene::tag << 32) | (uint64_t)index);
    args.add_scalar(s.base);
    for (int64_t i = scene::own_scalars; i < row[scene::row_scalars]; i++)
        args.add_scalar((uint64_t)values[i]);
}

/* A scope holds for the rows that follow each other in it. */
void enter(stage &s, words row)
{
    bool manual =
        !s.automatic || (row[scene::row_flags] & scene::flag_manual_scope) != 0;
    if (manual == s.in_manual)
        return;
    if (manual)
        rt_scope_begin(PTO2ScopeMode::MANUAL);
    else
        rt_scope_end();
    s.in_manual = manual;
}

void submit_row(stage &s, int64_t index)
{
    words row =
        s.table.data() + s.table[(size_t)(s.table[scene::head_rows] + index)];
    int64_t skip =
        s.automatic ? scene::flag_only_manual : scene::flag_only_automatic;
    if ((row[scene::row_flags] & skip) != 0)
        return;
    CoreTaskArgs args;
    std::array<ChipTensor, scene::max_tensors> tensors;
    std::array<PTO2TaskId, 128> deps;
    ChipTensor operand;
    words tensor = s.table.data() + row[scene::row_tensors];
    for (int64_t i = 0; i < row[scene::row_tensor_count]; i++) {
        tensors[(size_t)i] = view_of(s, tensor);
        add_tensor(args, tensors[(size_t)i], tensor[scene::tensor_kind]);
        tensor += scene::tensor_words;
    }
    if (row[scene::row_core] != scene::dummy)
        add_scalars(args, s, index, row);
    words dep =
        s.table.data() +
        row[s.automatic ? scene::row_automatic_deps : scene::row_manual_deps];
    int64_t count =
        row[s.automatic ? scene::row_automatic_count : scene::row_manual_count];
    for (int64_t i = 0; i < count; i++)
        deps[(size_t)i] = s.ids[(size_t)dep[i]];
    args.set_dependencies(deps.data(), (uint32_t)count);
    if (row[scene::row_predicate] != 0)
        add_predicate(args, s, s.table.data() + row[scene::row_predicate],
                      operand);
    args.launch_spec.set_block_num((int16_t)row[scene::row_blocks]);
    args.launch_spec.set_require_sync_start(
        (row[scene::row_flags] & scene::flag_sync_start) != 0);
    args.set_allow_early_resolve((row[scene::row_flags] & scene::flag_early) !=
                                 0);
    enter(s, row);
    s.ids[(size_t)index] = submit(s, row, args);
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig
aicpu_orchestration_config(const ChipTaskArgs &)
{
    return PTO2OrchestrationConfig{.expected_arg_count = 1};
}

__attribute__((visibility("default"))) void
aicpu_orchestration_entry(const ChipTaskArgs &chip)
{
    const ChipTensor &tensor = chip.tensor(0).ref();
    stage s{};
    s.base = tensor.buffer.addr;
    uint32_t at[1] = {scene::head_marks};
    size_t count = (size_t)get_tensor_data<int64_t>(tensor, 1, at);
    s.table.resize(count);
    for (size_t i = 0; i < count; i++) {
        at[0] = (uint32_t)i;
        s.table[i] = get_tensor_data<int64_t>(tensor, 1, at);
    }
    s.memory = s.base + (uint64_t)s.table[scene::head_memory] * align;
    s.automatic = s.table[scene::head_mode] != 0;
    s.ids.resize((size_t)s.table[scene::head_row_count], PTO2TaskId::invalid());
    for (int64_t i = 0; i < s.table[scene::head_row_count]; i++)
        submit_row(s, i);
    if (s.in_manual)
        rt_scope_end();
}
}
