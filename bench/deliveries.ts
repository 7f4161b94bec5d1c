/**
 * Compares the delivery engine with a `node:http` keep-alive client that sends the same signed bodies. Prints the row of
 * the section in bench/README.md: `npx tsx --conditions=@formwire/source bench/deliveries.ts`.
 */
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import { signatureHeader } from '@formwire/webhook-verify'
import { spawnServer, stop } from './support/spawn-server.ts'
import { median } from './support/statistics.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 5)
const COUNT = 4_000
const TEXT = 'Shipping took longer than announced, everything else was fine. '.repeat(4)

/** The baseline: `node:http` with keep-alive, with the concurrency and the signature of the engine. */
async function sendWithNodeHttp(url: string, body: Buffer): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const secret = 'whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788'
  let next = 0
  const sendOne = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'node',
        'x-service-event': 'response.submitted',
        'x-service-delivery': `baseline_${next}`,
        'x-service-timestamp': timestamp,
        'x-service-signature': signatureHeader(secret, timestamp, body),
      }
      const call = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.on('end', resolve)
      })
      call.on('error', reject)
      call.end(body)
    })
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < COUNT) {
        next += 1
        await sendOne()
      }
    }),
  )
  agent.destroy()
}

/** Measures the time, and the processor time of this process in microseconds, which varies less under load. */
async function cost(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - begun, cpu: user + system }
}

const sink = await spawnServer([
  ...process.execArgv,
  fileURLToPath(new URL('support/sink.ts', import.meta.url)),
])
const url = `http://127.0.0.1:${sink.line.port}/`
const server = createReferenceServer({ clock: 'manual', limits: 'off', now: '2026-11-21T09:30:00Z' })
const { id: form } = server.app.forms.create({
  title: 'Customer survey',
  questions: [{ id: 'q', type: 'long_text', title: 'What could we have done better?' }],
})
server.app.forms.publish(form)
const { id: endpoint } = await server.app.webhooks.create(form, { url })
const submit = (count: number): void => {
  const answers = [{ question_id: 'q', value: TEXT }]
  for (let index = 0; index < count; index += 1) server.app.responses.create(form, { answers, deliver: true })
}

submit(1)
await server.clock.advance(0)
const [entry] = server.app.deliveries.list(form, endpoint)
const body = Buffer.from(server.app.deliveries.get(entry?.id ?? '').raw_body ?? '')
const rounds: Record<'baseline' | 'ours', Awaited<ReturnType<typeof cost>>>[] = []
for (let round = -1; round < ROUNDS; round += 1) {
  const baseline = await cost(() => sendWithNodeHttp(url, body))
  submit(COUNT)
  // With address rules, signature, deadline, outcome and log.
  const ours = await cost(() => server.clock.advance(0))
  if (round >= 0) rounds.push({ baseline, ours })
}
await server.close()
await stop(sink)

const ratio = (by: 'wall' | 'cpu'): string =>
  median(rounds.map(({ baseline, ours }) => baseline[by] / ours[by])).toFixed(2)
const micros = (of: 'baseline' | 'ours'): string =>
  (median(rounds.map((one) => one[of].cpu)) / COUNT).toFixed(0)
console.log('| what | measured | wanted |\n|---|---|---|')
console.log(
  `| deliveries to one receiver / \`node:http\` with keep-alive | ${ratio('wall')}× (${ratio('cpu')}× by processor time: ${micros('ours')} µs instead of ${micros('baseline')}) | ≥ 1.8× |`,
)
