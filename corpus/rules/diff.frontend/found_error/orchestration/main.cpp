// Orchestration Function: main
#include "pto_orchestration_api.h"

void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    const ChipTensor& ext_x = orch_args.tensor(0).ref();
    const ChipTensor& ext_y = orch_args.tensor(1).ref();

    PTO2_SCOPE() {
        uint32_t t_ci_shapes[2] = {8, 16};
        TensorCreateInfo t_ci(t_ci_shapes, 2, DataType::FLOAT32);
        TaskOutputTensors alloc_0 = alloc_tensors(t_ci);
        const ChipTensor& t = alloc_0.get_ref(0);

        // Task 0: fill
        CoreTaskArgs params_t0;
        params_t0.add_input(ext_x);
        params_t0.add_output(t);
        rt_submit_aiv_task(0, params_t0);

        // Task 1: fill
        CoreTaskArgs params_t1;
        params_t1.add_input(ext_x);
        params_t1.add_output(ext_y);
        rt_submit_aiv_task(0, params_t1);
    }
}
