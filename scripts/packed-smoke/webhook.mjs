import { readFileSync } from 'node:fs'
import http from 'node:http'
import * as main from '@formwire/webhook-verify'
import * as dedupe from '@formwire/webhook-verify/dedupe'
import * as fetchDoor from '@formwire/webhook-verify/fetch'
import * as nodeDoor from '@formwire/webhook-verify/node'
import * as testing from '@formwire/webhook-verify/testing'
import * as web from '@formwire/webhook-verify/web'
import {
  checkNodeDoor,
  checkOwnServer,
  checkReceiver,
  checkTestKit,
  checkVerifier,
} from './webhook-check.mjs'

const vectors = JSON.parse(readFileSync(new URL('./webhook-signatures.json', import.meta.url), 'utf8'))
for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
await checkReceiver(fetchDoor, dedupe, web)
await checkTestKit(testing, [main, web])
await checkNodeDoor(nodeDoor, testing, http)
await checkOwnServer(fetchDoor, testing)
// Builds rename classes where they must; logs show the name.
if (main.WebhookVerificationError.name !== 'WebhookVerificationError')
  throw new Error('the class lost its name')
