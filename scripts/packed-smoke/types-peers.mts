import { createReferenceServer } from '@formwire/reference-server'
import { runConformance } from '@formwire/reference-server/conformance'
import { handlers } from '@formwire/reference-server/msw'
import { traceHandlers, traceRequests } from '@formwire/sdk/otel'
import { undiciTransport } from '@formwire/sdk/undici'
import { setupServer } from 'msw/node'

export const server = setupServer(...handlers(createReferenceServer()))
export const transport = undiciTransport({ connections: 1 })
export const stops = [traceRequests(), traceHandlers()]
export const run = runConformance
