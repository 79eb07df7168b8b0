// Orchestration Function: night
// The form of what PyPTO generates, written for this corpus.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pto_orchestration_api.h"

extern "C" {

__attribute__((visibility("default")))
PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{
        .expected_arg_count = 2,
    };
}

__attribute__((visibility("default")))
void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    // External tensors
    const ChipTensor& ext_sea = orch_args.tensor(0).ref();
    const ChipTensor& ext_book = orch_args.tensor(1).ref();

    PTO2_SCOPE() {
        uint32_t beam_ci_shapes[2] = {48, 32};
        TensorCreateInfo beam_ci(beam_ci_shapes, 2, DataType::FLOAT32);
        TaskOutputTensors alloc_0 = alloc_tensors(beam_ci);
        const ChipTensor& beam = alloc_0.get_ref(0);
        PTO2TaskId watch[6]; for (int64_t __init_i = 0; __init_i < 6; ++__init_i) watch[__init_i] = PTO2TaskId::invalid();
        PTO2TaskId dusk = PTO2TaskId::invalid();
        PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
            for (int64_t lamp = 2; lamp > -1; lamp += -1) {
                for (int64_t turn = 0; turn < 2; turn += 1) {
                    int64_t at = ((lamp * 2) + turn);
                    int64_t row = (at * 8);

                    // Task 0: sweep
                    CoreTaskArgs params_t0;
                    params_t0.add_input(ext_sea);
                    params_t0.add_inout(beam);
                    params_t0.add_scalar(row);
                    PTO2TaskId params_t0_deps[1];
                    uint32_t params_t0_deps_count = 0;
                    if (dusk.is_valid()) params_t0_deps[params_t0_deps_count++] = dusk;
                    params_t0.set_dependencies(params_t0_deps, params_t0_deps_count);
                    TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
                    PTO2TaskId tid = task_0_outs.task_id();
                    watch[at] = tid;
                }
                PTO2TaskId dusk__phi_v3;
                if ((lamp == 2)) {

                    // Dependency-only dummy task
                    CoreTaskArgs params_fence;
                    PTO2TaskId params_fence_deps[6];
                    uint32_t params_fence_deps_count = 0;
                    if (watch[0].is_valid()) params_fence_deps[params_fence_deps_count++] = watch[0];
                    if (watch[1].is_valid()) params_fence_deps[params_fence_deps_count++] = watch[1];
                    if (watch[2].is_valid()) params_fence_deps[params_fence_deps_count++] = watch[2];
                    if (watch[3].is_valid()) params_fence_deps[params_fence_deps_count++] = watch[3];
                    if (watch[5].is_valid()) params_fence_deps[params_fence_deps_count++] = watch[5];
                    params_fence.set_dependencies(params_fence_deps, params_fence_deps_count);
                    PTO2TaskId fence = PTO2TaskId::invalid();
                    if (params_fence_deps_count > 0) {
                        TaskOutputTensors fence_outs = rt_submit_dummy_task(params_fence);
                        fence = fence_outs.task_id();
                    }
                    dusk__phi_v3 = fence;
                } else {
                    dusk__phi_v3 = dusk;
                }
                dusk = dusk__phi_v3;
            }

            // Task 1: log_watch
            CoreTaskArgs params_t1;
            params_t1.add_input(beam);
            params_t1.add_output(ext_book);
            PTO2TaskId params_t1_deps[7];
            uint32_t params_t1_deps_count = 0;
            if (dusk.is_valid()) params_t1_deps[params_t1_deps_count++] = dusk;
            if (watch[0].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[0];
            if (watch[1].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[1];
            if (watch[2].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[2];
            if (watch[3].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[3];
            if (watch[4].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[4];
            if (watch[5].is_valid()) params_t1_deps[params_t1_deps_count++] = watch[5];
            params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
            TaskOutputTensors task_1_outs = rt_submit_aiv_task(1, params_t1);
        }
    }
}

}  // extern "C"
