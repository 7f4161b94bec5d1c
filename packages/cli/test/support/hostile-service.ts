import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a service that responds to every request with these data, until the test ends. Returns the environment of the CLI. */
export async function hostileService(data: unknown): Promise<Record<string, string>> {
  const server = createServer((_request, response) => void response.end(JSON.stringify({ data })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { FORMWIRE_BASE_URL: `http://127.0.0.1:${port}`, FORMWIRE_API_KEY: 'svc_test' }
}
