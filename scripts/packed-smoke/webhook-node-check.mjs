import { readFileSync } from 'node:fs'
import http from 'node:http'
import { checkNodeAdapter, checkOwnServer, checkReceiver, checkVerifier } from './webhook-check.mjs'

/** What the packed webhook-verify must do on Node, Deno and Bun, and with both of its builds in one process. */
export async function check(load) {
  const main = await load('@formwire/webhook-verify')
  const dedupe = await load('@formwire/webhook-verify/dedupe')
  const fetchAdapter = await load('@formwire/webhook-verify/fetch')
  const nodeAdapter = await load('@formwire/webhook-verify/node')
  const testing = await load('@formwire/webhook-verify/testing')
  const web = await load('@formwire/webhook-verify/web')
  const vectors = JSON.parse(readFileSync(new URL('./webhooks.json', import.meta.url), 'utf8'))
  for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
  await checkReceiver(fetchAdapter, dedupe, web)
  await checkNodeAdapter(nodeAdapter, testing, http)
  await checkOwnServer(fetchAdapter, testing)
  // An error of one build is an instance of the other's class.
  const { WebhookVerificationError } = await import('@formwire/webhook-verify')
  const { error } = main.tryVerifyWebhook({ secret: 'whsec_smoke', headers: {}, body: '' })
  // Bundlers may rename classes; logs show the name.
  if (error.constructor.name !== 'WebhookVerificationError') throw new Error('the error class was renamed')
  if (!(error instanceof WebhookVerificationError)) throw new Error('instanceof across builds')
}
