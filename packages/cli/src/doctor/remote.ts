import type { Me } from '@formwire/contract'
import { foreignPageText, isForeignPage } from '@formwire/internal/foreign-page'
import { isObjectOrArray } from '@formwire/internal/json'
import { EXIT } from '../exit.ts'
import { envelopeOf } from '../http/envelope.ts'
import { proxyOf, throughProxy } from '../http/proxy.ts'
import { referenceServerVersion } from '../http/reference-server.ts'
import { sendRequest, type WholeResponse } from '../http/request.ts'
import { spanText } from '../output/time.ts'
import { connectionHint, isUnreachable, refusedKeyHint } from '../report.ts'
import type { Runtime } from '../runtime.ts'
import { connectionCode, connectionProblem, withoutPeriod } from '../service-message.ts'
import type { Check } from './check.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** Difference of the clocks, in milliseconds, from which verification fails (DLV-04). */
const SKEW_FAULT_MS = 300_000
const SKEW_WARNING_MS = 30_000

/** Checks reachability, key and clock with one request for the identity of the key. */
export async function checkServer(
  runtime: Pick<Runtime, 'clock' | 'stop' | 'env'>,
  baseUrl: string,
  key: { apiKey: string; source: string; profile: string | undefined } | undefined,
): Promise<Check[]> {
  const { clock, stop, env } = runtime
  const proxy = proxyOf(baseUrl, env)
  const where = throughProxy(baseUrl, proxy)
  const get = (path: string, headers: Record<string, string>): Promise<WholeResponse> =>
    sendRequest(
      { url: `${baseUrl}${path}`, method: 'GET', headers, timeoutMs: TIMEOUT_MS, stop, env },
      MAX_BYTES,
    )
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
        message: `could not reach ${where}: ${connectionProblem(error) ?? (error as Error).message}`,
        hint: connectionHint(connectionCode(error), undefined, proxy),
        exitCode: EXIT.unreachable,
      },
      ...(key
        ? [{ name: 'key', status: 'skipped', message: 'the server could not be reached' } as const]
        : []),
      { name: 'clock', status: 'skipped', message: 'the server could not be reached' },
    ]
  }
  const receivedAt = clock.now()
  const version = await referenceServerVersion(baseUrl, runtime)
  // A reference server with a manual clock has its time in responses of the API, and that of its machine in pages.
  const page =
    version === undefined ? undefined : await get('/', { accept: 'text/html' }).catch(() => undefined)
  const { date } = response.headers
  const isManual = Math.abs(timeOf(date) - timeOf(page?.headers.date)) > SKEW_WARNING_MS
  return [
    serverCheck(where, response, receivedAt - sentAt, version),
    ...(key ? [keyCheck(response, key.source, key.profile)] : []),
    clockCheck(date, (sentAt + receivedAt) / 2, isManual),
  ]
}

const timeOf = (date: string | undefined): number => Date.parse(date ?? '')

function serverCheck(
  where: string,
  { status, headers, body }: WholeResponse,
  durationMs: number,
  version: unknown,
): Check {
  const envelope = envelopeOf(body).error !== undefined
  const named = { get: (name: string) => String(headers[name] ?? '') }
  const isApi = dataOf(body) !== undefined || !isForeignPage({ status, envelope, headers: named })
  if (status >= 500 || !isApi) {
    return {
      name: 'server',
      status: 'fault',
      message: isApi
        ? `${where} responded with HTTP ${status}`
        : `${where} sent ${foreignPageText({ status, contentType: headers['content-type'] })}`,
      hint: isApi
        ? 'the server failed; try again later'
        : 'check the base URL: it is the root of the service',
      exitCode: isApi ? EXIT.failed : EXIT.unreachable,
    }
  }
  const what = typeof version === 'string' ? `reference server ${version}, ` : ''
  return { name: 'server', status: 'ok', message: `${what}${where} responded in ${spanText(durationMs)}` }
}

function keyCheck({ status, body }: WholeResponse, source: string, profile: string | undefined): Check {
  if (status === 200) {
    const { user, workspace, key } = (dataOf(body) ?? {}) as Partial<Me>
    const whose = `${user?.name ?? 'unknown user'}, ${workspace?.role ?? 'no role'} in "${workspace?.name ?? ''}"`
    return {
      name: 'key',
      status: 'ok',
      message: `${key?.name ?? ''} (${key?.prefix ?? ''}…, ${key?.scope ?? 'unknown scope'}) of ${whose}, from ${source}`,
    }
  }
  const message = `${withoutPeriod(envelopeOf(body).error?.message ?? `the server responded with ${status}`)} (key from ${source})`
  if (status === 401 || status === 403) {
    const hint =
      status === 401
        ? refusedKeyHint({ keySource: source, keyProfile: profile })
        : 'check the plan of the workspace and your role in it'
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
