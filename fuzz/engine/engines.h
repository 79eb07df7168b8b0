/* What the engines call; each declares it nowhere that C can include. */
#ifndef FUZZ_ENGINE_ENGINES_H
#define FUZZ_ENGINE_ENGINES_H

#include <stddef.h>
#include <stdint.h>

void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
unsigned int afl_custom_fuzz_count(void *data, const unsigned char *buf,
                                   size_t buf_size);
size_t afl_custom_fuzz(void *data, unsigned char *buf, size_t buf_size,
                       unsigned char **out_buf, unsigned char *add_buf,
                       size_t add_buf_size, size_t max_size);
int afl_custom_init_trim(void *data, unsigned char *buf, size_t buf_size);
size_t afl_custom_trim(void *data, unsigned char **out_buf);
int afl_custom_post_trim(void *data, unsigned char success);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                 const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_out_size,
                                 unsigned int seed);

#endif
