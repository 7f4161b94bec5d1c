import { expect, it } from 'vitest'
import { createMockReceiver, createReferenceServer } from '../../src/index.ts'

it('delivers to a name below localhost without a lookup under the rules for loopback', async () => {
  const looked: string[] = []
  const receiver = await createMockReceiver().listen()
  await using server = createReferenceServer({
    addressRules: 'loopback',
    clock: 'manual',
    async dns(host) {
      looked.push(host)
      return ['93.184.216.34']
    },
  })
  const form = server.app.forms.create({ title: 'Form' })
  server.app.forms.publish(form.id)
  const { port } = new URL(receiver.url)
  const hook = await server.app.webhooks.create(form.id, { url: `http://secret.localhost:${port}/` })
  server.app.responses.create(form.id, { deliver: true })
  await server.clock.advance(0)
  expect(server.app.deliveries.list(form.id, hook.id)).toMatchObject([{ status: 'delivered' }])
  expect(looked).toEqual([])
  await expect(server.app.webhooks.create(form.id, { url: 'https://hooks.example.com/' })).rejects.toThrow(
    'deliveries stay on this machine',
  )
  expect(looked).toEqual([])
  await receiver.close()
})
