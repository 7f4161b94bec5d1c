import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { Tarballs } from '../project/tarballs.ts'
import { run } from './run.ts'

/** An npm registry on loopback. */
export interface Registry {
  /** Address for `@formwire:registry` in an `.npmrc`. */
  readonly url: string
  close(): void
}

/** Serves tarballs as an npm registry, so that `npm install @formwire/sdk` installs them as it will once they are published. */
export async function startRegistry(tarballs: Tarballs): Promise<Registry> {
  // npm caches by address, and an earlier run may have had the same port.
  const root = `/${randomUUID()}/`
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const file = files.get(decodeURIComponent(request.url ?? ''))
    response.writeHead(file ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`
  for (const path of Object.values(tarballs)) {
    const tarball = readFileSync(path)
    const manifest = JSON.parse(await run('tar', ['-xzOf', path, 'package/package.json'], '.'))
    const { name, version } = manifest as { name: string; version: string }
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const dist = { tarball: `${url}tarballs/${basename(path)}`, integrity }
    const versions = { [version]: { ...manifest, dist } }
    files.set(`${root}tarballs/${basename(path)}`, tarball)
    files.set(
      `${root}${name}`,
      Buffer.from(JSON.stringify({ name, 'dist-tags': { latest: version }, versions })),
    )
  }
  return {
    url,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
