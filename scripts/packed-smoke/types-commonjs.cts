import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'
import { startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { nodeTransport } from '@formwire/sdk/node'
import { createSync } from '@formwire/sync'
import { sqliteStore } from '@formwire/sync/sqlite'
import { createReceiver } from '@formwire/webhook-verify/node'

export async function suite(): Promise<string> {
  const kit = await startFormwire()
  const formwire = new Formwire(kit.clientOptions)
  const { user } = await formwire.me()
  await kit.close()
  return user.name
}
export const server = createReferenceServer({ clock: 'manual' })
export const receiver = createMockReceiver()
export const receive = createReceiver({ secret: 'whsec_s', on: {} })
export const client = new Formwire({ apiKey: 'svc_k', transport: nodeTransport() })
export const sync = createSync({ formwire: client, store: sqliteStore('responses.db'), forms: 'all' })
