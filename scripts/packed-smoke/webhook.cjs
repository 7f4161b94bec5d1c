const http = require('node:http')
const main = require('@formwire/webhook-verify')
const dedupe = require('@formwire/webhook-verify/dedupe')
const fetchDoor = require('@formwire/webhook-verify/fetch')
const nodeDoor = require('@formwire/webhook-verify/node')
const testing = require('@formwire/webhook-verify/testing')
const web = require('@formwire/webhook-verify/web')
const vectors = require('./webhook-signatures.json')

async function check() {
  const { checkNodeDoor, checkReceiver, checkTestKit, checkVerifier } = await import('./webhook-check.mjs')
  for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
  await checkReceiver(fetchDoor, dedupe, web)
  await checkTestKit(testing, [main, web])
  await checkNodeDoor(nodeDoor, testing, http)
  // Both builds in one process: an error of one is an error of the other.
  const { WebhookVerificationError } = await import('@formwire/webhook-verify')
  const { error } = main.tryVerifyWebhook({ secret: 'whsec_smoke', headers: {}, body: '' })
  // Builds rename classes where they must; logs show the name.
  if (error.constructor.name !== 'WebhookVerificationError') throw new Error('the class lost its name')
  if (!(error instanceof WebhookVerificationError)) throw new Error('instanceof across builds')
}

check().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
