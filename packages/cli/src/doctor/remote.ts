import type { Me } from '@formwire/contract'
import { isObjectOrArray } from '@formwire/internal/json'
import { EXIT } from '../exit.ts'
import { envelopeOf } from '../http/envelope.ts'
import { sendRequest, type WholeResponse } from '../http/request.ts'
import { spanText } from '../output/time.ts'
import { connectionHint, isUnreachable, refusedKeyHint } from '../report.ts'
import type { Runtime } from '../runtime.ts'
import { connectionCode, connectionProblem } from '../service-message.ts'
import type { Check } from './check.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** Difference of the clocks, in milliseconds, from which verification fails (DLV-04). */
const SKEW_FAULT_MS = 300_000
const SKEW_WARNING_MS = 30_000

/** Checks reachability, key and clock with one request for the identity of the key. */
export async function checkServer(
  runtime: Pick<Runtime, 'clock' | 'stop'>,
  baseUrl: string,
  key: { apiKey: string; source: string } | undefined,
): Promise<Check[]> {
  const { clock, stop } = runtime
  const get = (path: string, headers: Record<string, string>): Promise<WholeResponse> =>
    sendRequest({ url: `${baseUrl}${path}`, method: 'GET', headers, timeoutMs: TIMEOUT_MS, stop }, MAX_BYTES)
  const sentAt = clock.now()
  let response: WholeResponse
  try {
    response = await get('/api/v1/me', {
      accept: 'application/json',
      ...(key ? { authorization: `Bearer ${key.apiKey}` } : {}),
    })
  } catch (error) {
    stop.throwIfAborted()
    if (!isUnreachable(error)) throw error
    return [
      {
        name: 'server',
        status: 'fault',
        message: `could not reach ${baseUrl}: ${connectionProblem(error) ?? (error as Error).message}`,
        hint: connectionHint(connectionCode(error)),
        exitCode: EXIT.unreachable,
      },
      ...(key
        ? [{ name: 'key', status: 'skipped', message: 'the server could not be reached' } as const]
        : []),
      { name: 'clock', status: 'skipped', message: 'the server could not be reached' },
    ]
  }
  const receivedAt = clock.now()
  const health = await get('/_app/health', { accept: 'application/json' }).catch(() => undefined)
  const version = health?.status === 200 ? dataOf(health.body)?.version : undefined
  // A reference server with a manual clock has its time in responses of the API, and that of its machine in pages.
  const page =
    version === undefined ? undefined : await get('/', { accept: 'text/html' }).catch(() => undefined)
  const { date } = response.headers
  const isManual = Math.abs(timeOf(date) - timeOf(page?.headers.date)) > SKEW_WARNING_MS
  return [
    serverCheck(baseUrl, response, receivedAt - sentAt, version),
    ...(key ? [keyCheck(response, key.source)] : []),
    clockCheck(date, (sentAt + receivedAt) / 2, isManual),
  ]
}

const timeOf = (date: string | undefined): number => Date.parse(date ?? '')

function serverCheck(
  baseUrl: string,
  { status, body }: WholeResponse,
  durationMs: number,
  version: unknown,
): Check {
  const isApi = dataOf(body) !== undefined || envelopeOf(body).error !== undefined
  if (status >= 500 || !isApi) {
    return {
      name: 'server',
      status: 'fault',
      message: `${baseUrl} responded with HTTP ${status}${isApi ? '' : ' without an API body'}`,
      hint: isApi
        ? 'the server failed; try again later'
        : 'check the base URL: it is the root of the service',
      exitCode: EXIT.failed,
    }
  }
  const what = typeof version === 'string' ? `reference server ${version}, ` : ''
  return { name: 'server', status: 'ok', message: `${what}${baseUrl} responded in ${spanText(durationMs)}` }
}

function keyCheck({ status, body }: WholeResponse, source: string): Check {
  if (status === 200) {
    const { user, workspace, key } = (dataOf(body) ?? {}) as Partial<Me>
    const whose = `${user?.name ?? 'unknown user'}, ${workspace?.role ?? 'no role'} in "${workspace?.name ?? ''}"`
    return {
      name: 'key',
      status: 'ok',
      message: `${key?.name ?? ''} (${key?.prefix ?? ''}…, ${key?.scope ?? 'unknown scope'}) of ${whose}, from ${source}`,
    }
  }
  const message = `${envelopeOf(body).error?.message?.replace(/\.$/, '') ?? `the server responded with ${status}`} (key from ${source})`
  if (status === 401 || status === 403) {
    const hint =
      status === 401 ? refusedKeyHint(source) : 'check the plan of the workspace and your role in it'
    return { name: 'key', status: 'fault', message, hint, exitCode: EXIT.notAllowed }
  }
  if (status === 429) {
    const hint = 'wait a minute and run formwire doctor again'
    return { name: 'key', status: 'fault', message, hint, exitCode: EXIT.rateLimited }
  }
  return { name: 'key', status: 'skipped', message }
}

/** Compares the clock of this machine with the Date header, which is exact to a second. */
function clockCheck(date: string | undefined, now: number, isManual: boolean): Check {
  const serverTime = timeOf(date)
  if (Number.isNaN(serverTime)) {
    return { name: 'clock', status: 'skipped', message: 'the server sent no Date header' }
  }
  const skewMs = now - (serverTime + 500)
  const distance = Math.abs(skewMs)
  if (distance < 2_000) return { name: 'clock', status: 'ok', message: 'in step with the server' }
  const message = `${spanText(Math.floor(distance / 1000) * 1000)} ${skewMs > 0 ? 'ahead of' : 'behind'} the server`
  if (distance < SKEW_WARNING_MS) return { name: 'clock', status: 'ok', message }
  if (isManual) return { name: 'clock', status: 'warning', message, hint: 'the server has a manual clock' }
  const hint = 'set the clock of this machine, for example with NTP'
  if (distance < SKEW_FAULT_MS) return { name: 'clock', status: 'warning', message, hint }
  return {
    name: 'clock',
    status: 'fault',
    message: `${message}; signatures older than 5 min are refused`,
    hint,
    exitCode: EXIT.failed,
  }
}

const dataOf = (body: Buffer): Record<string, unknown> | undefined => {
  const { data } = envelopeOf(body)
  return isObjectOrArray(data) ? (data as Record<string, unknown>) : undefined
}
