import { isObject } from '@formwire/internal/json'
import type { Runtime } from '../runtime.ts'
import { envelopeOf } from './envelope.ts'
import { sendRequest } from './request.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** Returns the version of a reference server; undefined for another server, and for one that does not respond. */
export async function referenceServerVersion(
  baseUrl: string,
  { env, stop }: Pick<Runtime, 'env' | 'stop'>,
): Promise<string | undefined> {
  const headers = { accept: 'application/json' }
  const request = { url: `${baseUrl}/_app/health`, method: 'GET', headers, timeoutMs: TIMEOUT_MS, env, stop }
  const response = await sendRequest(request, MAX_BYTES).catch(() => undefined)
  const { data } = envelopeOf(response?.status === 200 ? response.body : '')
  return isObject(data) && data.status === 'ok' ? String(data.version) : undefined
}
