/** Requests bodies of a few kilobytes that decompress to megabytes of JSON, with each transport. Prints the errors as JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ApiError, Formwire, type FormwireError } from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'
import { undiciTransport } from '../../src/undici.ts'

const MB = 1_000_000
const bodies = {
  'deep, 20 MB': gzipSync(`{"data":${'['.repeat(10 * MB)}${']'.repeat(10 * MB)}}`),
  'deep, 60 MB': gzipSync(`{"data":${'['.repeat(30 * MB)}${']'.repeat(30 * MB)}}`),
  'many, 30 MB': gzipSync(`{"data":[{}${',{}'.repeat(10 * MB)}]}`),
  'deep, 1 MB': gzipSync(
    `{"error":{"code":"conflict","details":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`,
  ),
}

// Not closed between two requests, however long a body takes.
const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const [, name = '', status] = /\/forms\/(.*)-(\d+)$/.exec(decodeURIComponent(request.url ?? '')) ?? []
  response.writeHead(Number(status), { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(bodies[name as keyof typeof bodies])
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const seen: Record<string, string[]> = {}
for (const transport of [undefined, nodeTransport(), undiciTransport()]) {
  const formwire = new Formwire({ apiKey: 'svc_k', baseUrl, transport, maxRetries: 0 })
  for (const name of Object.keys(bodies)) {
    for (const status of name.includes('60 MB') ? [200] : [200, 409]) {
      const error: FormwireError = await formwire.forms.get(`${name}-${status}`).then(
        () => Promise.reject(new Error('The body was accepted.')),
        (caught) => caught,
      )
      const one = error instanceof ApiError ? `${error.name} ${error.code}` : error.name
      seen[`${name}, ${status}`] = [...(seen[`${name}, ${status}`] ?? []), one]
    }
  }
}
console.log(JSON.stringify(seen))
process.exit()
