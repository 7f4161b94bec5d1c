import { readFileSync } from 'node:fs'
import http from 'node:http'
import * as main from '@formwire/webhook-verify'
import * as dedupe from '@formwire/webhook-verify/dedupe'
import * as fetchAdapter from '@formwire/webhook-verify/fetch'
import * as nodeAdapter from '@formwire/webhook-verify/node'
import * as testing from '@formwire/webhook-verify/testing'
import * as web from '@formwire/webhook-verify/web'
import {
  checkNodeAdapter,
  checkOwnServer,
  checkReceiver,
  checkTestKit,
  checkVerifier,
} from './webhook-check.mjs'

const vectors = JSON.parse(readFileSync(new URL('./webhook-signatures.json', import.meta.url), 'utf8'))
for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
await checkReceiver(fetchAdapter, dedupe, web)
await checkTestKit(testing, [main, web])
await checkNodeAdapter(nodeAdapter, testing, http)
await checkOwnServer(fetchAdapter, testing)
// Bundlers may rename classes; logs show the name.
if (main.WebhookVerificationError.name !== 'WebhookVerificationError')
  throw new Error('the error class was renamed')
