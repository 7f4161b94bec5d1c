import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'

interface Operation {
  parameters?: { name: string; in: string; example: string | number }[]
}

const document = createRequire(import.meta.url)('@formwire/contract/openapi.json') as {
  paths: Record<string, { get?: Operation; delete?: Operation }>
}

it('has what the examples of openapi.json name, with the demo seed', async () => {
  const server = createReferenceServer({ seed: 'demo' })
  await server.ready
  const request = async (method: string, path: string, { parameters = [] }: Operation): Promise<unknown> => {
    const url = new URL('http://formwire.test/api/v1')
    url.pathname += path
    for (const one of parameters) {
      if (one.in === 'query') url.searchParams.set(one.name, String(one.example))
      else url.pathname = decodeURI(url.pathname).replace(`{${one.name}}`, String(one.example))
    }
    const headers = { authorization: `Bearer ${server.writeKey}` }
    const response = await server.fetch(new Request(url, { method, headers }))
    return [method, path, response.status]
  }
  const paths = Object.entries(document.paths)
  // Reads before deletions, which remove what they name.
  for (const [path, { get }] of paths)
    if (get) expect(await request('GET', path, get)).toEqual(['GET', path, 200])
  for (const [path, { delete: remove }] of paths)
    if (remove) expect(await request('DELETE', path, remove)).toEqual(['DELETE', path, 200])
  await server.close()
})
