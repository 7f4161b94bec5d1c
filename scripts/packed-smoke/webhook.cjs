const http = require('node:http')
const main = require('@formwire/webhook-verify')
const dedupe = require('@formwire/webhook-verify/dedupe')
const fetchAdapter = require('@formwire/webhook-verify/fetch')
const nodeAdapter = require('@formwire/webhook-verify/node')
const testing = require('@formwire/webhook-verify/testing')
const web = require('@formwire/webhook-verify/web')
const vectors = require('./webhook-signatures.json')

async function check() {
  const { checkNodeAdapter, checkReceiver, checkTestKit, checkVerifier } = await import('./webhook-check.mjs')
  for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
  await checkReceiver(fetchAdapter, dedupe, web)
  await checkTestKit(testing, [main, web])
  await checkNodeAdapter(nodeAdapter, testing, http)
  // Both builds in one process: an error of one is an instance of the other's class.
  const { WebhookVerificationError } = await import('@formwire/webhook-verify')
  const { error } = main.tryVerifyWebhook({ secret: 'whsec_smoke', headers: {}, body: '' })
  // Bundlers may rename classes; logs show the name.
  if (error.constructor.name !== 'WebhookVerificationError') throw new Error('the error class was renamed')
  if (!(error instanceof WebhookVerificationError)) throw new Error('instanceof across builds')
}

check().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
