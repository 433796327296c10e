/*
 * Prints sizes, offsets and constants of the installed UCX headers, one "key value" per line. LayoutProbeTest compiles and
 * runs it and compares each line with what the Java bindings say.
 */
#include "ftrma_ucx.h"

#include <stddef.h>

/* A function whose signature differs from the one we call does not compile: -Werror is set by the test. */
#define CHECK_SIGNATURE(result, name, parameters) static result (*const check_##name) parameters = name;
FTRMA_UCP_FUNCTIONS(CHECK_SIGNATURE)

/* The one function that UCX calls back. */
static void check_error_handler(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    (void)arg;
    (void)ep;
    (void)status;
}
static const ucp_err_handler_cb_t check_handler = check_error_handler;

#define USE_SIGNATURE(result, name, parameters) printf("function %s %d\n", #name, check_##name != NULL);
#define PRINT_FIELD(type, field)                                                                                           \
    printf("offsetof %s.%s %zu\n", #type, #field, offsetof(type, field));                                                  \
    printf("sizeof %s.%s %zu\n", #type, #field, sizeof(((type *)0)->field));
#define PRINT_REQUEST_PARAM_FIELD(field) PRINT_FIELD(ucp_request_param_t, field)
#define PRINT_EP_PARAMS_FIELD(field) PRINT_FIELD(ucp_ep_params_t, field)
#define PRINT_MEM_MAP_PARAMS_FIELD(field) PRINT_FIELD(ucp_mem_map_params_t, field)
#define PRINT_CONSTANT(constant) printf("constant %s %lld\n", #constant, (long long)(constant));

int main(void)
{
    FTRMA_UCP_FUNCTIONS(USE_SIGNATURE)
    printf("sizeof ucp_request_param_t %zu\n", sizeof(ucp_request_param_t));
    FTRMA_REQUEST_PARAM_FIELDS(PRINT_REQUEST_PARAM_FIELD)
    printf("sizeof ucp_ep_params_t %zu\n", sizeof(ucp_ep_params_t));
    FTRMA_EP_PARAMS_FIELDS(PRINT_EP_PARAMS_FIELD)
    printf("sizeof ucp_mem_map_params_t %zu\n", sizeof(ucp_mem_map_params_t));
    FTRMA_MEM_MAP_PARAMS_FIELDS(PRINT_MEM_MAP_PARAMS_FIELD)
    printf("callback ucp_err_handler_cb_t %d\n", check_handler != NULL);
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
