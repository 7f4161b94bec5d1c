import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDedupe, type DedupeStore } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/node'
import { read, replace } from '../support/files.ts'

// A claim is in a file and outlives a kill, until it expires: meanwhile the answer is 409. Its work is repeated then, so it must be idempotent.
interface Claim {
  owner?: string
  until?: number
  isCompleted?: boolean
}
const claims = new Map<string, Claim>(JSON.parse(read('claims.json') || '[]'))
const save = () => replace('claims.json', JSON.stringify([...claims]))
const isHeld = (key: string, by?: string) =>
  (claims.get(key)?.until ?? 0) > Date.now() && claims.get(key)?.owner !== by
const store: DedupeStore = {
  async claim(keys, owner, claimMs) {
    if (keys.some((key) => claims.get(key)?.isCompleted)) return 'completed'
    if (keys.some((key) => isHeld(key))) return 'in_progress'
    for (const key of keys) claims.set(key, { owner, until: Date.now() + claimMs })
    save()
    return 'claimed'
  },
  async complete(keys, owner) {
    if (keys.some((key) => isHeld(key, owner))) return false
    for (const key of keys) claims.set(key, { isCompleted: true })
    save()
    return true
  },
  async release(keys, owner) {
    const held = keys.filter((key) => claims.get(key)?.owner === owner)
    for (const key of held) claims.delete(key)
    save()
    return held.length === keys.length
  },
}

const receiver = createReceiver({
  secret: process.env.FORMWIRE_WEBHOOK_SECRET ?? '',
  dedupe: createDedupe(store, { claimMs: Number(process.env.CLAIM_MS ?? 1000) }),
  on: {
    'response.submitted': async ({ response }) => {
      await sleep(10)
      replace(`response-${response.id}`, JSON.stringify(response))
    },
  },
})
createServer(receiver).listen(Number(process.env.PORT), '127.0.0.1')
