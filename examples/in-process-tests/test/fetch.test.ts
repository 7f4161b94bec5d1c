import { createReferenceServer } from '@formwire/reference-server'
import { Formwire } from '@formwire/sdk'
import { expect, it } from 'vitest'
import { countPromoters } from '../src/count-promoters.ts'
import { fill } from './fill.ts'

it('counts promoters with the service as `fetch`', async () => {
  const server = createReferenceServer()
  const formwire = new Formwire({ apiKey: server.writeKey, fetch: server.fetch })
  expect(await countPromoters(formwire, fill(server))).toBe(2)
})
