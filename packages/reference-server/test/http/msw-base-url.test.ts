import { Formwire } from '@formwire/sdk'
import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { handlers } from '../../src/http/transports/msw.ts'
import { createReferenceServer, OptionError } from '../../src/index.ts'

it.each([
  ['HTTPS://Forms.Example.com'],
  ['https://forms.example.com:443/'],
  ['https://bücher.example'],
  ['http://LOCALHOST:3000'],
  ['https://forms.example.com/a/../Tenant//'],
])('handlers serve the client of the base URL %s', async (baseUrl) => {
  await using server = createReferenceServer()
  const mock = setupServer(...handlers(server, { baseUrl }))
  mock.listen({ onUnhandledRequest: 'error' })
  try {
    const formwire = new Formwire({ apiKey: server.writeKey, baseUrl, maxRetries: 0 })
    expect((await formwire.me()).workspace.id).toBe(server.workspaceId)
  } finally {
    mock.close()
  }
})

it.each([
  ['not a url', '"baseUrl" must begin with https:// or http://.'],
  ['', '"baseUrl" must begin with https:// or http://.'],
  ['forms.example.com', '"baseUrl" must begin with https:// or http://: use "https://forms.example.com".'],
  [
    'https://forms.example.com/api/v1',
    '"baseUrl" of forms.example.com must not contain /api/v1, which the client adds.',
  ],
])('handlers refuse the base URL %j as a client does', (baseUrl, message) => {
  const server = createReferenceServer()
  expect(() => handlers(server, { baseUrl })).toThrow(new OptionError(message))
})
