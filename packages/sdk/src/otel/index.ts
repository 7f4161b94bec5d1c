/**
 * OpenTelemetry spans for the clients and the webhook receivers of the process. The delivery attempts of a reference server have none.
 * Requires the package `@opentelemetry/api`.
 */
export { traceHandlers } from './handlers.ts'
export { traceRequests } from './requests.ts'
