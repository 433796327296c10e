/*
 * The part of UCX that ftRMA for Java binds through the foreign function and memory interface.
 *
 * This header is the single input of jextract (see ../jextract/ucp.args) and of the layout probe (layout_probe.c). It
 * declares nothing of its own: the lists below name each function, struct and constant that the Java side uses, and fail
 * the compilation when one of them is missing or has another shape.
 */
#ifndef FTRMA_UCX_H
#define FTRMA_UCX_H

#include <stdint.h>
#include <stdio.h>
#include <ucp/api/ucp.h>

/* X(return type, name, parameter types): what org.ftrma.ucp.Ucp calls. */
#define FTRMA_UCP_FUNCTIONS(X)                                                                                             \
    X(void, ucp_get_version, (unsigned *, unsigned *, unsigned *))                                                         \
    X(const char *, ucp_get_version_string, (void))                                                                        \
    X(const char *, ucs_status_string, (ucs_status_t))                                                                     \
    X(unsigned, ucp_worker_progress, (ucp_worker_h))                                                                       \
    X(ucs_status_t, ucp_worker_wait, (ucp_worker_h))                                                                       \
    X(ucs_status_t, ucp_worker_arm, (ucp_worker_h))                                                                        \
    X(ucs_status_t, ucp_worker_get_efd, (ucp_worker_h, int *))                                                             \
    X(ucs_status_t, ucp_worker_signal, (ucp_worker_h))                                                                     \
    X(void, ucp_worker_print_info, (ucp_worker_h, FILE *))                                                                 \
    X(void, ucp_ep_print_info, (ucp_ep_h, FILE *))                                                                         \
    X(ucs_status_ptr_t, ucp_put_nbx, (ucp_ep_h, const void *, size_t, uint64_t, ucp_rkey_h, const ucp_request_param_t *))  \
    X(ucs_status_ptr_t, ucp_get_nbx, (ucp_ep_h, void *, size_t, uint64_t, ucp_rkey_h, const ucp_request_param_t *))        \
    X(ucs_status_ptr_t, ucp_atomic_op_nbx,                                                                                 \
      (ucp_ep_h, ucp_atomic_op_t, const void *, size_t, uint64_t, ucp_rkey_h, const ucp_request_param_t *))                \
    X(ucs_status_ptr_t, ucp_ep_flush_nbx, (ucp_ep_h, const ucp_request_param_t *))                                         \
    X(ucs_status_ptr_t, ucp_worker_flush_nbx, (ucp_worker_h, const ucp_request_param_t *))                                 \
    X(ucs_status_ptr_t, ucp_ep_modify_nb, (ucp_ep_h, const ucp_ep_params_t *))                                             \
    X(ucs_status_ptr_t, ucp_ep_close_nbx, (ucp_ep_h, const ucp_request_param_t *))                                         \
    X(ucs_status_t, ucp_ep_rkey_unpack, (ucp_ep_h, const void *, ucp_rkey_h *))                                            \
    X(void, ucp_rkey_destroy, (ucp_rkey_h))                                                                                \
    X(ucs_status_t, ucp_rkey_ptr, (ucp_rkey_h, uint64_t, void **))                                                         \
    X(ucs_status_t, ucp_mem_map, (ucp_context_h, const ucp_mem_map_params_t *, ucp_mem_h *))                               \
    X(ucs_status_t, ucp_mem_unmap, (ucp_context_h, ucp_mem_h))                                                             \
    X(ucs_status_t, ucp_request_check_status, (void *))                                                                    \
    X(void, ucp_request_cancel, (ucp_worker_h, void *))                                                                    \
    X(void, ucp_request_free, (void *))

/* X(field): the fields of ucp_request_param_t, in their order. */
#define FTRMA_REQUEST_PARAM_FIELDS(X)                                                                                      \
    X(op_attr_mask) X(flags) X(request) X(cb) X(datatype) X(user_data) X(reply_buffer) X(memory_type) X(recv_info) X(memh)

/* X(field): the fields of ucp_ep_params_t, in their order; those of its inner struct are spelled out. */
#define FTRMA_EP_PARAMS_FIELDS(X)                                                                                          \
    X(field_mask) X(address) X(err_mode) X(err_handler.cb) X(err_handler.arg) X(user_data) X(flags)                        \
    X(sockaddr.addr) X(sockaddr.addrlen) X(conn_request) X(name) X(local_sockaddr.addr) X(local_sockaddr.addrlen)

/* X(field): the fields of ucp_mem_map_params_t, in their order. */
#define FTRMA_MEM_MAP_PARAMS_FIELDS(X) X(field_mask) X(address) X(length) X(flags) X(prot) X(memory_type)

/* X(constant): what org.ftrma.ucp.UcpConstants and UcsStatus hold. */
#define FTRMA_UCP_CONSTANTS(X)                                                                                             \
    X(UCP_OP_ATTR_FIELD_REQUEST) X(UCP_OP_ATTR_FIELD_CALLBACK) X(UCP_OP_ATTR_FIELD_USER_DATA)                              \
    X(UCP_OP_ATTR_FIELD_DATATYPE) X(UCP_OP_ATTR_FIELD_FLAGS) X(UCP_OP_ATTR_FIELD_REPLY_BUFFER)                             \
    X(UCP_OP_ATTR_FIELD_MEMORY_TYPE) X(UCP_OP_ATTR_FIELD_MEMH)                                                             \
    X(UCP_OP_ATTR_FLAG_NO_IMM_CMPL) X(UCP_OP_ATTR_FLAG_FAST_CMPL) X(UCP_OP_ATTR_FLAG_MULTI_SEND)                           \
    X(UCP_ATOMIC_OP_ADD) X(UCP_ATOMIC_OP_SWAP) X(UCP_ATOMIC_OP_CSWAP)                                                      \
    X(UCP_ATOMIC_OP_AND) X(UCP_ATOMIC_OP_OR) X(UCP_ATOMIC_OP_XOR)                                                          \
    X(UCP_EP_PARAM_FIELD_ERR_HANDLER) X(UCP_EP_PARAM_FIELD_USER_DATA)                                                      \
    X(UCP_EP_CLOSE_FLAG_FORCE) X(UCP_DATATYPE_CONTIG) X(UCP_DATATYPE_SHIFT)                                                \
    X(UCP_MEM_MAP_PARAM_FIELD_ADDRESS) X(UCP_MEM_MAP_PARAM_FIELD_LENGTH) X(UCP_MEM_MAP_PARAM_FIELD_FLAGS)                  \
    X(UCP_MEM_MAP_ALLOCATE)                                                                                                \
    X(UCS_MEMORY_TYPE_HOST)                                                                                                \
    X(UCS_OK) X(UCS_INPROGRESS) X(UCS_ERR_NO_RESOURCE) X(UCS_ERR_IO_ERROR) X(UCS_ERR_NO_MEMORY)                            \
    X(UCS_ERR_INVALID_PARAM) X(UCS_ERR_UNREACHABLE) X(UCS_ERR_INVALID_ADDR) X(UCS_ERR_NOT_IMPLEMENTED) X(UCS_ERR_BUSY)     \
    X(UCS_ERR_CANCELED) X(UCS_ERR_TIMED_OUT) X(UCS_ERR_UNSUPPORTED) X(UCS_ERR_REJECTED) X(UCS_ERR_NOT_CONNECTED)           \
    X(UCS_ERR_CONNECTION_RESET) X(UCS_ERR_ENDPOINT_TIMEOUT) X(UCS_ERR_LAST)

#endif
