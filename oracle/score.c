#include "reader.h"
bool oracle_read_score(oracle_reader *reader, uint32_t root)
{
    oracle_fault_node(reader->error, ORACLE_UNSUPPORTED, reader->json, root,
                      "Score");
    return false;
}
bool oracle_read_bundle(oracle_reader *reader, uint32_t root)
{
    oracle_fault_node(reader->error, ORACLE_UNSUPPORTED, reader->json, root,
                      "bundle");
    return false;
}
