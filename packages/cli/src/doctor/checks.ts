import { statSync } from 'node:fs'
import type { Me } from '@formwire/contract'
import { foreignPageText, isForeignPage } from '@formwire/internal/foreign-page'
import { isObjectOrArray } from '@formwire/internal/json'
import type { TransportResponse } from '@formwire/sdk'
import { type Credentials, configuredServer, resolveCredentials } from '../config/credentials.ts'
import { profilesPath, readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure } from '../failure.ts'
import { proxyOf, throughProxy } from '../http/proxy.ts'
import { envelopeOf, referenceServerVersion, requestService } from '../http/service.ts'
import { countOf } from '../output/progress.ts'
import { spanText } from '../output/time.ts'
import { connectionHint, isUnreachable, refusedKeyHint } from '../report.ts'
import type { Runtime } from '../runtime.ts'
import { connectionCode, connectionProblem, withoutPeriod } from '../service-message.ts'

export interface Check {
  name: 'version' | 'node' | 'configuration' | 'server' | 'key' | 'clock'
  /** `warning`: works, but should be changed. `skipped`: could not be checked because of another fault. */
  status: 'ok' | 'warning' | 'fault' | 'skipped'
  message: string
  /** What to do about a warning or fault. */
  hint?: string | undefined
  /** Exit code of a fault. */
  exitCode?: ExitCode | undefined
}

const check = (
  name: Check['name'],
  status: Check['status'],
  message: string,
  hint?: string,
  exitCode?: ExitCode,
): Check => ({ name, status, message, hint, exitCode })

/** Oldest Node.js that the program supports, as in package.json. */
const NODE_MIN = [20, 19] as const

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOldEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  if (isOldEnough) return check('node', 'ok', version)
  const hint = `install Node.js ${NODE_MIN.join('.')} or newer`
  return check('node', 'fault', `${version} is too old`, hint, EXIT.failed)
}

/** What is configured, as far as it is valid. */
export interface Configuration extends Partial<Credentials> {
  checks: Check[]
}

/** Checks the profiles file, the base URL and that there is a key, without any request. */
export function checkConfiguration(context: Context): Configuration {
  const { runtime, global } = context
  const result: Configuration = { checks: [] }
  try {
    readProfiles(runtime)
    const baseUrl = configuredServer(runtime, global)?.baseUrl
    if (baseUrl !== undefined) result.baseUrl = baseUrl
    result.checks.push(baseUrl === undefined ? NO_BASE_URL : fileCheck(context, baseUrl))
    if (baseUrl === undefined) result.checks.push(check('server', 'skipped', 'no base URL'))
  } catch (error) {
    result.checks.push(fault('configuration', error))
    result.checks.push(check('server', 'skipped', 'the configuration is not valid'))
  }
  try {
    const { apiKey, keySource, keyProfile } = resolveCredentials(runtime, global)
    context.hide(apiKey)
    Object.assign(result, { apiKey, keySource, keyProfile })
  } catch (error) {
    if ((error as Failure).exitCode === EXIT.notAllowed) result.checks.push(fault('key', error))
    else if (result.baseUrl !== undefined)
      result.checks.push({ ...fault('key', error), exitCode: EXIT.failed })
  }
  return result
}

const NO_BASE_URL = check(
  'configuration',
  'fault',
  'no base URL',
  'pass --base-url URL, set FORMWIRE_BASE_URL, or log in: formwire login',
  EXIT.failed,
)

/** The configuration with a valid base URL; a warning when others can read the keys. */
function fileCheck(context: Context, baseUrl: string): Check {
  const { runtime, global } = context
  const { current, profiles } = readProfiles(runtime)
  const path = profilesPath(runtime)
  const count = Object.keys(profiles).length
  const used = global.profile ?? current
  const stored =
    count === 0
      ? 'no profiles'
      : `${countOf(count, 'profile')} in ${path}${used === null ? ', none current' : `, "${used}" current`}`
  const message = `server ${baseUrl}; ${stored}`
  return count === 0 || process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
    ? check('configuration', 'ok', message)
    : check('configuration', 'warning', `${message}, readable by others`, `chmod 600 ${path}`)
}

/** Returns the fault of a check that failed with this error. An unknown profile ends the command instead. */
function fault(name: Check['name'], error: unknown): Check {
  if (!(error instanceof Failure) || error.exitCode === EXIT.notFound) throw error
  const exitCode = error.exitCode === EXIT.notAllowed ? EXIT.notAllowed : EXIT.failed
  return check(name, 'fault', error.message, error.hint, exitCode)
}

const TIMEOUT_MS = 10_000
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
  const get = (path: string, headers: Record<string, string>): Promise<TransportResponse> =>
    requestService(`${baseUrl}${path}`, runtime, { headers, timeoutMs: TIMEOUT_MS })
  const sentAt = clock.now()
  let response: TransportResponse
  try {
    response = await get('/api/v1/me', {
      accept: 'application/json',
      ...(key ? { authorization: `Bearer ${key.apiKey}` } : {}),
    })
  } catch (error) {
    stop.throwIfAborted()
    if (!isUnreachable(error)) throw error
    const message = `could not reach ${where}: ${connectionProblem(error) ?? (error as Error).message}`
    const hint = connectionHint(connectionCode(error), undefined, proxy)
    const others = key ? (['key', 'clock'] as const) : (['clock'] as const)
    return [
      check('server', 'fault', message, hint, EXIT.unreachable),
      ...others.map((name) => check(name, 'skipped', 'the server could not be reached')),
    ]
  }
  const receivedAt = clock.now()
  const version = await referenceServerVersion(baseUrl, runtime)
  // A reference server with a manual clock has its time in responses of the API, and that of its machine in pages.
  const page =
    version === undefined ? undefined : await get('/', { accept: 'text/html' }).catch(() => undefined)
  const serverTime = timeOf(response)
  const isManual = Math.abs(serverTime - timeOf(page)) > SKEW_WARNING_MS
  return [
    serverCheck(where, response, receivedAt - sentAt, version),
    ...(key ? [keyCheck(response, key.source, key.profile)] : []),
    clockCheck(serverTime, (sentAt + receivedAt) / 2, isManual),
  ]
}

const timeOf = (response: TransportResponse | undefined): number =>
  Date.parse(response?.headers.get('date') ?? '')

function serverCheck(
  where: string,
  { status, headers, body }: TransportResponse,
  durationMs: number,
  version: unknown,
): Check {
  const envelope = envelopeOf(body).error !== undefined
  if (dataOf(body) === undefined && isForeignPage({ status, envelope, headers })) {
    const message = `${where} sent ${foreignPageText({ status, headers })}`
    const hint = 'check the base URL: it is the root of the service'
    return check('server', 'fault', message, hint, EXIT.unreachable)
  }
  if (status >= 500) {
    const message = `${where} responded with HTTP ${status}`
    return check('server', 'fault', message, 'the server failed; try again later', EXIT.failed)
  }
  const what = typeof version === 'string' ? `reference server ${version}, ` : ''
  return check('server', 'ok', `${what}${where} responded in ${spanText(durationMs)}`)
}

function keyCheck({ status, body }: TransportResponse, source: string, profile: string | undefined): Check {
  if (status === 200) {
    const { user, workspace, key } = (dataOf(body) ?? {}) as Partial<Me>
    const whose = `${user?.name ?? 'unknown user'}, ${workspace?.role ?? 'no role'} in "${workspace?.name ?? ''}"`
    const named = `${key?.name ?? ''} (${key?.prefix ?? ''}…, ${key?.scope ?? 'unknown scope'})`
    return check('key', 'ok', `${named} of ${whose}, from ${source}`)
  }
  const message = `${withoutPeriod(envelopeOf(body).error?.message ?? `the server responded with ${status}`)} (key from ${source})`
  if (status === 401 || status === 403) {
    const hint =
      status === 401
        ? refusedKeyHint({ keySource: source, keyProfile: profile })
        : 'check the plan of the workspace and your role in it'
    return check('key', 'fault', message, hint, EXIT.notAllowed)
  }
  if (status === 429)
    return check('key', 'fault', message, 'wait a minute and run formwire doctor again', EXIT.rateLimited)
  return check('key', 'skipped', message)
}

/** Compares the clock of this machine with the Date header, which is exact to a second. */
function clockCheck(serverTime: number, now: number, isManual: boolean): Check {
  if (Number.isNaN(serverTime)) return check('clock', 'skipped', 'the server sent no Date header')
  const skewMs = now - (serverTime + 500)
  const distance = Math.abs(skewMs)
  if (distance < 2_000) return check('clock', 'ok', 'in step with the server')
  const message = `${spanText(Math.floor(distance / 1000) * 1000)} ${skewMs > 0 ? 'ahead of' : 'behind'} the server`
  if (distance < SKEW_WARNING_MS) return check('clock', 'ok', message)
  if (isManual) return check('clock', 'warning', message, 'the server has a manual clock')
  const hint = 'set the clock of this machine, for example with NTP'
  if (distance < SKEW_FAULT_MS) return check('clock', 'warning', message, hint)
  return check('clock', 'fault', `${message}; signatures older than 5 min are refused`, hint, EXIT.failed)
}

const dataOf = (body: string): Record<string, unknown> | undefined => {
  const { data } = envelopeOf(body)
  return isObjectOrArray(data) ? (data as Record<string, unknown>) : undefined
}
