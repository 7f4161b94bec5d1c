/** OpenTelemetry spans for the clients and the webhook receivers of the process. Requires the package `@opentelemetry/api`. */
export { traceHandlers } from './handlers.ts'
export { traceRequests } from './requests.ts'
