const sdk = require('@formwire/sdk')
const { redisBudget } = require('@formwire/sdk/budget/redis')
const { fileCheckpoint } = require('@formwire/sdk/checkpoint/file')
const { redisCheckpoint } = require('@formwire/sdk/checkpoint/redis')
const { nodeTransport } = require('@formwire/sdk/node')
const { traceRequests } = require('@formwire/sdk/otel')
const { undiciTransport } = require('@formwire/sdk/undici')
const check = require('./check.cjs')

check({
  sdk,
  fileCheckpoint,
  redisBudget,
  redisCheckpoint,
  nodeTransport,
  undiciTransport,
  traceRequests,
}).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
