/** Saves a state and keeps its lease until it is killed. Run by the test of the checkpoint in PostgreSQL. */
import { postgresCheckpoint } from '../../src/checkpoint/postgres.ts'

const [connectionString = '', schema = '', leaseMs = ''] = process.argv.slice(2)
const lease = await postgresCheckpoint({ connectionString, schema, leaseMs: Number(leaseMs) }).acquire?.(
  'form',
)
await lease?.save('form', { version: 1, since: '2026-11-21T09:30:00.000Z', ids: [1, 2] })
process.send?.('saved')
setInterval(() => undefined, 1000)
