/**
 * Runs the built server of `soak.ts`: a public form with 200 responses. Measures its memory and event-loop delay when the
 * parent requests a sample. Exits with its parent.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createReferenceServer } from '@formwire/reference-server'

const RESPONSES = 200
const NS_PER_MS = 1e6
/** Interval of the delay samples. Every sample includes it, so it is subtracted. */
const RESOLUTION_MS = 1

// The rate limits are enabled, but too high to be reached. A sliding window of this size would store every request.
const server = createReferenceServer({
  limits: { requestsPerMinute: 50_000_000, failedAuthPerMinute: 50_000_000 },
  unspecified: { rateWindow: 'fixed' },
  report: (cause) => process.send({ failure: String(cause) }),
})
const questions = [
  { id: 'name', type: 'short_text', title: 'Your name' },
  { id: 'text', type: 'long_text', title: 'Your message' },
  { id: 'mail', type: 'email', title: 'Your email address' },
  { id: 'site', type: 'url', title: 'Your web site' },
  { id: 'phone', type: 'phone', title: 'Your phone number' },
  { id: 'file', type: 'file', title: 'A file' },
]
const form = server.app.forms.create({ title: 'Soak', questions })
server.app.forms.publish(form.id)
for (let count = 0; count < RESPONSES; count += 1) {
  server.app.responses.create(form.id, { answers: [{ question_id: 'name', value: `Respondent ${count}` }] })
}
const { url } = await server.listen({ port: 0 })

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

/** Measures memory after a garbage collection, which is excluded from the delays. */
async function sample() {
  delay.disable()
  globalThis.gc()
  // The second run collects what finalizers have released.
  await wait(0)
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  delay.enable()
  return { rss, heapUsed, external, resources: process.getActiveResourcesInfo().length }
}

function delays() {
  const beyond = (ns) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS)
  return {
    p50: beyond(delay.percentile(50)),
    p99: beyond(delay.percentile(99)),
    p9999: beyond(delay.percentile(99.99)),
    max: beyond(delay.max),
  }
}

process.on('message', async (message) => {
  if (message === 'sample') process.send(await sample())
  if (message === 'delays') process.send(delays())
  if (message === 'reset') {
    delay.reset()
    process.send({})
  }
})
process.on('disconnect', () => process.exit())
process.send({
  url,
  formId: form.id,
  slug: form.slug,
  readKey: server.readKey,
  writeKey: server.writeKey,
  adminToken: server.adminToken,
})
