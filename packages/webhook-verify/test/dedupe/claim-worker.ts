/** Claims a list of deliveries and prints the ids it has won. Run by the tests of the stores. */
import { createPostgresDedupe } from '@formwire/webhook-verify/dedupe/postgres'
import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { createClient } from 'redis'
import { submitted, verified } from './events.ts'

const [kind, url, count] = process.argv.slice(2)
const client = createClient({ url: kind === 'redis' ? (url as string) : 'redis://unused' })
if (kind === 'redis') await client.connect()
const dedupe = kind === 'redis' ? createRedisDedupe(client) : createPostgresDedupe({ connectionString: url })

process.stdout.write('ready\n')
// Waits for the test, so that all processes claim at the same time.
await new Promise((resolve) => process.stdin.once('data', resolve))

const won: number[] = []
for (let id = 1; id <= Number(count); id++) {
  const claim = await dedupe.claim(verified(submitted(id)))
  if (claim.state !== 'claimed') continue
  won.push(id)
  await claim.complete()
}
process.stdout.write(`${JSON.stringify(won)}\n`)
if (kind === 'redis') client.destroy()
process.stdin.destroy()
