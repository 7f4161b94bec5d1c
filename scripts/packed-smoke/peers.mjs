// Entry points whose package is missing or too old must explain it. Arguments: the state of undici, zod and msw.
import assert from 'node:assert/strict'
import { Formwire, UsageError } from '@formwire/sdk'
import { undiciTransport } from '@formwire/sdk/undici'
import '@formwire/sdk/validate'

// Bundlers follow this import, so it is Node's own error.
await assert.rejects(import('@formwire/sdk/otel'), /@opentelemetry\/api/)

const [, , undici, zod, msw] = process.argv
const options = { apiKey: 'svc_k', baseUrl: 'http://127.0.0.1:1' }
const errorOf = (call) =>
  call().then(
    () => undefined,
    (error) => error,
  )

const EXPECTED = {
  missing:
    /requires (undici|zod 3\.25 or newer|msw 2\.15 or newer).* could not be loaded; install it with "npm install/,
  old: /requires (undici 7|zod 3\.25|msw 2\.15) or newer, (and|but) an older version is installed; install it with "npm install/,
}

for (const [state, call] of [
  [undici, () => new Formwire({ ...options, transport: undiciTransport() }).me()],
  [zod, () => new Formwire({ ...options, validate: 'throw' }).me()],
]) {
  if (state === 'present') continue
  const error = await errorOf(call)
  assert.ok(error instanceof UsageError, String(error))
  assert.match(error.message, EXPECTED[state])
}
if (undici === 'old') {
  const { Agent } = await import('undici')
  const transport = undiciTransport({ dispatcher: new Agent() })
  const error = await errorOf(() => new Formwire({ ...options, transport }).me())
  assert.ok(error instanceof UsageError, String(error))
  assert.match(error.message, /"dispatcher" is of undici 6 or older/)
}
if (msw) {
  const error = await errorOf(() => import('@formwire/reference-server/msw'))
  assert.equal(error?.name, 'PackageError', String(error))
  assert.match(error.message, EXPECTED[msw])
}
