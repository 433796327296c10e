/*
 * Prints sizes, offsets and constants of the installed UCX headers, one "key value" per line. LayoutProbeTest compiles and
 * runs it and compares each line with what the Java bindings say.
 */
#include "ftrma_ucx.h"

#include <stddef.h>

/* A function whose signature differs from the one we call does not compile: -Werror is set by the test. */
#define CHECK_SIGNATURE(result, name, parameters) static result (*const check_##name) parameters = name;
FTRMA_UCP_FUNCTIONS(CHECK_SIGNATURE)

#define USE_SIGNATURE(result, name, parameters) printf("function %s %d\n", #name, check_##name != NULL);
#define PRINT_OFFSET(field) printf("offsetof ucp_request_param_t.%s %zu\n", #field, offsetof(ucp_request_param_t, field));
#define PRINT_SIZE_OF_FIELD(field) printf("sizeof ucp_request_param_t.%s %zu\n", #field, sizeof(((ucp_request_param_t *)0)->field));
#define PRINT_CONSTANT(constant) printf("constant %s %lld\n", #constant, (long long)(constant));

int main(void)
{
    FTRMA_UCP_FUNCTIONS(USE_SIGNATURE)
    printf("sizeof ucp_request_param_t %zu\n", sizeof(ucp_request_param_t));
    FTRMA_REQUEST_PARAM_FIELDS(PRINT_OFFSET)
    FTRMA_REQUEST_PARAM_FIELDS(PRINT_SIZE_OF_FIELD)
    printf("sizeof ucs_status_t %zu\n", sizeof(ucs_status_t));
    printf("sizeof ucs_status_ptr_t %zu\n", sizeof(ucs_status_ptr_t));
    printf("sizeof ucp_atomic_op_t %zu\n", sizeof(ucp_atomic_op_t));
    printf("sizeof ucp_datatype_t %zu\n", sizeof(ucp_datatype_t));
    printf("sizeof size_t %zu\n", sizeof(size_t));
    FTRMA_UCP_CONSTANTS(PRINT_CONSTANT)
    printf("datatype contig4 %llu\n", (unsigned long long)ucp_dt_make_contig(4));
    printf("datatype contig8 %llu\n", (unsigned long long)ucp_dt_make_contig(8));
    return 0;
}
