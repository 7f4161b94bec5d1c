/** The ESM and the CommonJS build side by side, as in a suite whose dependency loads the other one. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import * as esm from '@formwire/reference-server/testing'
import { verifyWebhook } from '@formwire/webhook-verify'
import { createDelivery } from '@formwire/webhook-verify/testing'

const require = createRequire(import.meta.url)
const commonJs = require('@formwire/reference-server/testing')
const verify = require('@formwire/webhook-verify')
const { createMemoryDedupe } = require('@formwire/webhook-verify/dedupe')

const kit = await esm.startFormwire()
for (const [name, act] of [
  ['OptionError', () => esm.startFormwire({ clok: 1 })],
  ['ServiceError', () => kit.server.app.forms.get('none')],
  ['ExpectationError', () => kit.expectRequest({ path: '/none' })],
]) {
  const error = await Promise.resolve()
    .then(act)
    .catch((thrown) => thrown)
  assert.notEqual(error.constructor, commonJs[name], name)
  assert.ok(error instanceof commonJs[name], name)
  assert.equal(JSON.parse(JSON.stringify(error)).message, error.message, name)
}
await kit.close()

const ping = createDelivery({ event: 'test.ping' })
const options = { secret: ping.secret, body: ping.body }
const dedupe = createMemoryDedupe()
const claim = async ({ headers }) => (await dedupe.claim(verifyWebhook({ ...options, headers }))).state
assert.equal(await claim(ping), 'claimed')
assert.equal(await claim({ headers: { ...ping.headers, 'X-Service-Delivery': 'dlv_other' } }), 'in_progress')
assert.throws(() => verifyWebhook({ ...options, headers: {} }), verify.WebhookVerificationError)
