import type { CommanderError } from 'commander'
import { EXIT, type ExitCode } from './exit.ts'
import { Failure, usage } from './failure.ts'
import { helpUrlOf } from './help/help-page.ts'
import { writeQuietly } from './output/output.ts'
import type { Pens } from './output/pens.ts'
import { redact, safeJson, safeLine } from './output/text-safety.ts'
import type { TextStream } from './runtime.ts'
import { type ServiceError, serviceMessage } from './service-message.ts'

/** How a failure is printed. */
export interface ReportStyle {
  json: boolean
  /** Whether to print the request, its id and the page about the error with the text. */
  verbose?: boolean
  pens: Pens
  /** Keys and secrets to redact. */
  secrets: readonly string[]
}

/** Prints a failure on stderr, as text or as one line of JSON, and returns its exit code. */
export function reportFailure(stderr: TextStream, failure: Failure, style: ReportStyle): number {
  const clean = (text: string): string => redact(text, style.secrets)
  const message = clean(failure.message)
  const hint = failure.hint === undefined ? undefined : clean(failure.hint)
  if (style.json) {
    const error = {
      code: failure.code,
      message,
      hint,
      status: failure.status,
      details: failure.details,
      request: failure.request,
      request_id: failure.requestId,
      exit_code: failure.exitCode,
      help_url: helpUrlOf(failure.code),
    }
    writeQuietly(stderr, `${clean(safeJson({ error }))}\n`)
  } else {
    const field = failure.details?.field
    const where = typeof field === 'string' && !message.includes(field) ? ` (field ${safeLine(field)})` : ''
    const lines = [`${style.pens.red('formwire:')} ${safeLine(message)}${where}`]
    if (hint !== undefined) lines.push(...hint.split('\n').map((line) => `  ${safeLine(line)}`))
    if (style.verbose) lines.push(...requestLines(failure).map((line) => `  ${clean(safeLine(line))}`))
    writeQuietly(stderr, `${lines.join('\n')}\n`)
  }
  return failure.exitCode
}

/** Returns the lines that `--verbose` adds: the request, its id, and the page about the error. */
function requestLines({ request, status, code, requestId }: Failure): string[] {
  return [
    ...(request === undefined ? [] : [`${request} returned ${status} ${code}`]),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
    `about this error: ${helpUrlOf(code)}`,
  ]
}

/** Converts any thrown value to a failure with an exit code and a hint. `help` is the command line that shows the usage. */
export function toFailure(error: unknown, help = 'formwire --help'): Failure {
  if (error instanceof Failure) return error
  if (isCommanderError(error)) return fromCommander(error, help)
  return fromClient(error as ClientError)
}

/** Checks the code, since a minified build has no class names. */
function isCommanderError(error: unknown): error is CommanderError {
  const code = error instanceof Error ? (error as CommanderError).code : undefined
  return typeof code === 'string' && code.startsWith('commander.')
}

function fromCommander(error: CommanderError, help: string): Failure {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const hint = HINT_BY_OPTION[/^unknown option '(--\w+)/.exec(first)?.[1] ?? '']
  if (hint !== undefined) return usage(first, hint)
  const suggestion = rest.join(' ').replace(/^\(|\)$/g, '')
  return usage(first, suggestion === '' ? `Run "${help}" for usage.` : suggestion)
}

/** Options of similar programs, such as gh. */
const HINT_BY_OPTION: Readonly<Record<string, string>> = {
  '--jq': 'Pipe the output to jq, as in --json | jq EXPRESSION, or choose fields, as in --json id,title.',
}

/** The members of SDK errors that are used here. Read by shape, so that no command loads the SDK for `instanceof`. */
interface ClientError extends ServiceError {
  details?: unknown
}

const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  429: EXIT.rateLimited,
}

const HINT_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'the key is invalid or revoked: create a new one in the app, then set FORMWIRE_API_KEY or log in again with formwire login --with-key',
  403: 'this requires a write key of an owner or editor, and a plan with write access: see formwire whoami',
  429: 'wait a minute and try again; the limit is 120 requests per minute per key',
  500: 'the server failed; try again later',
}

function fromClient(error: ClientError): Failure {
  if (typeof error.status === 'number' && error.status >= 400) return fromStatus(error, error.status)
  if (error?.name === 'UsageError') return usage(error.message)
  if (isUnreachable(error)) {
    return new Failure(error.message, {
      exitCode: EXIT.unreachable,
      code: 'unreachable',
      hint: 'check that the server is running, and check --base-url (or FORMWIRE_BASE_URL) and any proxy',
      cause: error,
    })
  }
  return new Failure(error instanceof Error ? error.message : String(error), {
    exitCode: EXIT.failed,
    code: 'failed',
    cause: error,
  })
}

function fromStatus(error: ClientError, status: number): Failure {
  const missing = status === 404 && typeof error.path === 'string' ? missingThing(error.path) : undefined
  const hint =
    status === 404
      ? `it does not exist, or this key has no access to its workspace: see formwire ${missing?.list ?? 'forms list'}`
      : HINT_BY_STATUS[status]
  const code = typeof error.code === 'string' ? error.code : `http_${status}`
  return new Failure(missing ? `${missing.name} not found` : (serviceMessage(error) ?? error.message), {
    exitCode: EXIT_BY_STATUS[status] ?? EXIT.failed,
    code,
    status,
    ...(hint === undefined ? {} : { hint }),
    ...(isRecord(error.details) ? { details: error.details } : {}),
    ...(typeof error.requestId === 'string' ? { requestId: error.requestId } : {}),
    ...(typeof error.method === 'string' && typeof error.path === 'string'
      ? { request: `${error.method} ${error.path}` }
      : {}),
    cause: error,
  })
}

const THING = /^\/forms\/([^/?]+)(?:\/(responses|webhooks)(?:\/([^/?]+))?)?(?:\?|$)/
const NOUN: Readonly<Record<string, string>> = { responses: 'response', webhooks: 'webhook endpoint' }

/** Returns what the path of a 404 names, such as `response 5 of form 8hTq2LmVx4Rb`, and the command that lists its kind. */
function missingThing(path: string): { name: string; list: string } | undefined {
  const [, form, list = '', id] = THING.exec(path) ?? []
  if (form === undefined) return undefined
  const name = `form ${decoded(form)}`
  if (id === undefined) return { name, list: 'forms list' }
  return { name: `${NOUN[list]} ${decoded(id)} of ${name}`, list: `${list} list ${decoded(form)}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const UNREACHABLE_NAMES: ReadonlySet<string> = new Set(['ConnectionError', 'TimeoutError'])
const NETWORK_CODES =
  /^(?:ECONN|EHOST|ENET|ENOTFOUND$|EAI_|ETIMEDOUT$|EPIPE$|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|HPE_)/

/** Whether no response arrived: refused, reset, unknown host, timeout or TLS error. */
export function isUnreachable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (UNREACHABLE_NAMES.has(at.name)) return true
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string' && NETWORK_CODES.test(code)) return true
  }
  return false
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
