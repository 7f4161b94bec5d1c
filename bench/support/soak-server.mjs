/**
 * Runs the built server of `soak.ts`: a public form with 200 responses. Replies to `sample` with its memory after a garbage
 * collection, and to `delays` with the event-loop delay since then and the causes of its failures. Exits with its parent.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createReferenceServer } from '@formwire/reference-server'

const RESPONSES = 200
const failures = []

// The rate limits are enabled, but too high to be reached. A sliding window of this size would store every request.
const server = createReferenceServer({
  limits: { requestsPerMinute: 50_000_000, failedAuthPerMinute: 50_000_000 },
  unspecified: { rateWindow: 'fixed' },
  report: (cause) => failures.push(String(cause)),
})
const TYPES = {
  name: 'short_text',
  text: 'long_text',
  mail: 'email',
  site: 'url',
  phone: 'phone',
  file: 'file',
}
const questions = Object.entries(TYPES).map(([id, type]) => ({ id, type, title: `Your ${id}` }))
const form = server.app.forms.create({ title: 'Soak', questions })
server.app.forms.publish(form.id)
for (let count = 0; count < RESPONSES; count += 1) {
  server.app.responses.create(form.id, { answers: [{ question_id: 'name', value: `Respondent ${count}` }] })
}
const { url } = await server.listen({ port: 0 })

const delay = monitorEventLoopDelay({ resolution: 1 })

async function sample() {
  delay.disable()
  globalThis.gc()
  // The second run collects what finalizers have released.
  await wait(0)
  globalThis.gc()
  delay.enable()
  return process.memoryUsage()
}

function delays() {
  // Each delay includes the interval of the samples, 1 ms.
  const beyond = (ns) => Math.max(0, ns / 1e6 - 1)
  const { max } = delay
  const [p50, p99, p9999] = [50, 99, 99.99].map((share) => delay.percentile(share))
  return { p50: beyond(p50), p99: beyond(p99), p9999: beyond(p9999), max: beyond(max), failures }
}

process.on('message', async (message) => process.send(message === 'sample' ? await sample() : delays()))
process.on('disconnect', () => process.exit())
const { readKey, writeKey, adminToken } = server
process.send({ url, formId: form.id, slug: form.slug, readKey, writeKey, adminToken })
