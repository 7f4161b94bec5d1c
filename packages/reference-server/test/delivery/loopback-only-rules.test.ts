import { expect, it } from 'vitest'
import { createWorld, listen } from './world.ts'

it('delivers to a name below localhost without a lookup under the rules for loopback', async () => {
  const looked: string[] = []
  const { server, hook, submit, log } = await createWorld({
    addressRules: 'loopback',
    async dns(host) {
      looked.push(host)
      return ['93.184.216.34']
    },
  })
  const { port } = new URL((await listen()).url)
  const { id } = await hook(`http://secret.localhost:${port}/`)
  submit()
  await server.clock.advance(0)
  expect(log(id)).toMatchObject([{ status: 'delivered' }])
  await expect(hook('https://hooks.example.com/')).rejects.toThrow('deliveries stay on this machine')
  expect(looked).toEqual([])
})
