// Orchestration Function: holiday
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
        .expected_arg_count = 3,
    };
}

__attribute__((visibility("default")))
void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    // External tensors
    const ChipTensor& ext_pen = orch_args.tensor(0).ref();
    const ChipTensor& ext_card = orch_args.tensor(1).ref();
    const ChipTensor& ext_mail = orch_args.tensor(2).ref();

    PTO2_SCOPE() {
        uint32_t draft_ci_shapes[2] = {17, 34};
        TensorCreateInfo draft_ci(draft_ci_shapes, 2, DataType::FLOAT32);
        TaskOutputTensors alloc_0 = alloc_tensors(draft_ci);
        const ChipTensor& draft = alloc_0.get_ref(0);

        // Task 0: write_text
        CoreTaskArgs params_t0;
        params_t0.add_input(ext_pen);
        params_t0.add_output(draft);
        TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
        PTO2TaskId wrote = task_0_outs.task_id();

        // Task 1: frank
        CoreTaskArgs params_t1;
        params_t1.add_input(draft);
        params_t1.add_output(ext_mail);
        PTO2TaskId params_t1_deps[1];
        uint32_t params_t1_deps_count = 0;
        params_t1_deps[params_t1_deps_count++] = wrote;
        params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
        TaskOutputTensors task_1_outs = rt_submit_aiv_task(1, params_t1);

        // Task 2: frank
        CoreTaskArgs params_t2;
        params_t2.add_input(ext_mail);
        params_t2.add_inout(ext_card);
        rt_submit_aiv_task(1, params_t2);
    }
}

}  // extern "C"
