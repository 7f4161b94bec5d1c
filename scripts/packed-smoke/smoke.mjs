import { createRequire } from 'node:module'
import * as sdk from '@formwire/sdk'
import { redisBudget } from '@formwire/sdk/budget/redis'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { nodeTransport } from '@formwire/sdk/node'
import { traceRequests } from '@formwire/sdk/otel'
import { undiciTransport } from '@formwire/sdk/undici'
import check from './check.cjs'

await check({
  sdk,
  fileCheckpoint,
  redisBudget,
  redisCheckpoint,
  nodeTransport,
  undiciTransport,
  traceRequests,
})

// Both builds in one process: errors of one are instances of the other's classes, and the rate budget is shared.
const require = createRequire(import.meta.url)
await check.acrossCopies(sdk, require('@formwire/sdk'))
