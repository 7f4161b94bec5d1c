import { sendRequest } from '../http/request.ts'

const PACKAGE = '@formwire/cli'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

/** Returns the latest version of the package in an npm registry, without any data about the user. @throws the system's error */
export async function latestVersion(registry: string): Promise<string | undefined> {
  const { status, body } = await sendRequest(
    {
      url: `${registry.replace(/\/+$/, '')}/${encodeURIComponent(PACKAGE)}/latest`,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
    },
    MAX_BYTES,
  )
  if (status !== 200) return undefined
  const { version } = JSON.parse(body.toString()) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}
