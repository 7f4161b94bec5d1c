import { lookup } from 'node:dns/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { refusedConnections } from './support/loopback.ts'

it('rejects and records a connection beyond this machine', () => {
  expect(() => connect(443, '192.0.2.1')).toThrow('Tests may connect only to this machine, not to 192.0.2.1.')
  expect(refusedConnections.splice(0)).toEqual(['192.0.2.1'])
})

it('rejects an address that a custom lookup returns', async () => {
  const error = await new Promise((resolve) => {
    connect({
      host: 'hooks.example.com',
      port: 443,
      lookup: (_name, _options, callback) => callback(null, [{ address: '192.0.2.2', family: 4 }]),
    }).once('error', resolve)
  })
  expect(String(error)).toContain('192.0.2.2')
  expect(refusedConnections.splice(0)).toEqual(['192.0.2.2'])
})

it('resolves only localhost', async () => {
  await expect(lookup('example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect((await lookup('localhost')).address).toMatch(/^(127\.0\.0\.1|::1)$/)
})

it('lets a test connect to its own server', async () => {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  expect([socket.remoteAddress, refusedConnections]).toEqual(['127.0.0.1', []])
  socket.destroy()
  server.close()
})
