import { isForeignPage } from '@formwire/internal/foreign-page'
import { helpUrlOf as sectionUrl } from '@formwire/internal/help-page'
import { isObject } from '@formwire/internal/json'
import type { RequestOptions } from '@formwire/sdk'
import { type Credentials, isLocal } from './config/credentials.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { Failure, type FailureFacts, failed, fileProblem, usage } from './failure.ts'
import { placeholders } from './help/layout.ts'
import { proxyOf, throughProxy } from './http/proxy.ts'
import { type Output, writeQuietly } from './output/output.ts'
import { COMMAND_LINE, hanging, markOf, type Pens } from './output/pens.ts'
import { redact, safeJson, safeLine } from './output/text-safety.ts'
import type { Runtime, TextStream } from './runtime.ts'
import {
  asClause,
  connectionCode,
  connectionProblem,
  type ServiceError,
  serviceMessage,
  withoutPeriod,
} from './service-message.ts'

export interface ReportStyle {
  output: Pick<Output, 'json' | 'errorPens' | 'errorColumns'>
  /** Whether to print the request, its id and the page about the error with the text. */
  verbose?: boolean
  /** Keys and secrets to redact. */
  secrets: readonly string[]
}

/** Prints a failure on stderr, as text or as one line of JSON, and returns its exit code. */
export function reportFailure(stderr: TextStream, failure: Failure, style: ReportStyle): number {
  const { output, verbose, secrets } = style
  const clean = (text: string): string => redact(text, secrets)
  const message = clean(failure.message)
  const hint = failure.hint === undefined ? undefined : clean(failure.hint)
  if (output.json) {
    const error = {
      code: failure.code,
      message,
      hint,
      status: failure.status,
      details: failure.details,
      request: failure.request,
      request_id: failure.requestId,
      system_code: failure.systemCode,
      exit_code: failure.exitCode,
      help_url: helpUrlOf(failure.code),
    }
    writeQuietly(stderr, `${clean(safeJson({ error }))}\n`)
  } else {
    const field = failure.details?.field
    const where =
      typeof field === 'string' && !message.toLowerCase().includes(field.toLowerCase())
        ? ` (field ${safeLine(clean(field))})`
        : ''
    const { errorPens: pens, errorColumns: columns } = output
    const text = safeLine(message) + where
    const hints = hint === undefined ? [] : hint.split('\n').map((line) => safeLine(line))
    const requests = verbose ? requestLines(failure).map((line) => clean(safeLine(line))) : []
    const lines =
      columns === undefined
        ? [`${pens.red('formwire:')} ${text}`, ...[...hints, ...requests].map((line) => `  ${line}`)]
        : [
            ...hanging(`${markOf('bad', pens)} `, 2, text, columns),
            ...hints.flatMap((line) => hanging('  ', 2, line, columns)).map((line) => hintLine(line, pens)),
            ...requests.flatMap((line) => hanging('  ', 2, line, columns)).map((line) => pens.dim(line)),
          ]
    writeQuietly(stderr, `${lines.join('\n')}\n`)
  }
  return failure.exitCode
}

/** Returns a line of a hint with its commands in colour, or a usage as help shows it. */
const hintLine = (line: string, pens: Pens): string =>
  line.startsWith('  Usage:')
    ? placeholders(line, { pens }).replace('Usage:', pens.bold('Usage:'))
    : line.replace(COMMAND_LINE, (command) => pens.cyan(command))

/** Returns the URL of the section about an error. Statuses that have no code of their own share one. */
export const helpUrlOf = (code: string): string => sectionUrl(/^http_\d+$/.test(code) ? 'http_status' : code)

/** Returns the lines that `--verbose` adds: the request, its id, and the page about the error. */
function requestLines({ request, status, code, requestId, systemCode }: Failure): string[] {
  const outcome =
    status === undefined
      ? `got no response${systemCode === undefined ? '' : ` (${systemCode})`}`
      : `returned ${status} ${code}`
  return [
    ...(request === undefined ? [] : [`${request} ${outcome}`]),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
    `about this error: ${helpUrlOf(code)}`,
  ]
}

/** A command, and the service and the key that it used. */
export interface FailedCommand extends Partial<Credentials> {
  /** What it was asked to do, such as `close form guestvoice01`. */
  task?: string | undefined
  /** Environment, which may name a proxy. */
  env?: Runtime['env'] | undefined
}

/** Returns what failed of a command. */
export const failedIn = (context: Context, task?: string): FailedCommand => ({
  ...context.server,
  task,
  env: context.runtime.env,
})

/** Converts any thrown value to a failure with an exit code and a hint. */
export function toFailure(error: unknown, command: FailedCommand = {}): Failure {
  if (error instanceof Failure) return error.isReason ? withTask(error, command) : error
  return fromClient(error as ClientError, command)
}

/** The members of SDK errors that are used here. */
interface ClientError extends ServiceError {
  details?: unknown
  idAfter?: string
}

const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  429: EXIT.rateLimited,
}

const NO_SOURCE = '--base-url (or FORMWIRE_BASE_URL)'

const rootHint = ({ serverSource = NO_SOURCE }: FailedCommand): string =>
  `check the URL in ${serverSource}: it is the root of the service, without /api/v1; and check any proxy`

const HINT_BY_STATUS: Readonly<Record<number, FailureFacts['hint']>> = {
  403: ({ whoami }) => `for the scope of the key, the role of its user and the plan, ${whoami}`,
  429: 'wait a minute and try again; the limit is 120 requests per minute per key',
  500: 'the server failed; try again later',
}

/** Returns what to do when the service does not accept the key, by where it came from. */
export function refusedKeyHint({ keySource, keyProfile, baseUrl = 'this server' }: FailedCommand): string {
  const hint =
    keyProfile !== undefined
      ? `the key of profile "${keyProfile}" was refused: create a new one in the app, then run formwire login --profile ${keyProfile}`
      : keySource === 'FORMWIRE_API_KEY'
        ? 'the key in FORMWIRE_API_KEY was refused: create a new one in the app and set it there, or unset the variable to use a profile'
        : `check that the key is complete and belongs to ${baseUrl}, or create a new one in the app`
  const restart = 'a reference server that was restarted has new keys, which it printed at startup'
  return isLocal(baseUrl) ? `${hint}\n${restart}` : hint
}

function fromClient(error: ClientError, command: FailedCommand): Failure {
  if (typeof error?.status === 'number' && (error.status >= 400 || isForeignPage(error)))
    return fromStatus(error, error.status, command)
  if (error?.name === 'UsageError') return fromUsage(error)
  if (isUnreachable(error)) return fromConnection(error, command)
  const problem = serviceMessage(Object(error))
  if (problem !== undefined) {
    // An outage, as for isOutage() of the SDK.
    const isOutage = error.name === 'DecodeError'
    return new Failure(attempted(command, problem), {
      exitCode: isOutage ? EXIT.unreachable : EXIT.failed,
      code: isOutage ? 'unreachable' : 'failed',
      hint: error.name === 'ResponseTooLargeError' ? undefined : rootHint(command),
      ...requestFacts(error),
      cause: error,
    })
  }
  const code = error?.name === 'PaginationError' ? 'invalid_response' : 'failed'
  const message = fileMessage(error) ?? (error instanceof Error ? error.message : String(error))
  return failed(code, message, undefined, error)
}

/** The SDK names an id by the path before it. */
function fromUsage({ message, idAfter, problem }: ClientError): Failure {
  const noun = idAfter?.split('/').at(-2) ?? ''
  const name = noun === 'forms' ? 'form' : NOUN[noun]
  return name === undefined ? usage(message) : usage(`the ${name} id ${problem}`)
}

/** Returns the sentence for a request that failed: what the command was asked to do, and why it could not. */
function attempted({ task }: FailedCommand, problem: string): string {
  return task === undefined ? problem : `could not ${task}: ${asClause(problem)}`
}

function withTask(failure: Failure, command: FailedCommand): Failure {
  return new Failure(attempted(command, failure.message), { ...failure, isReason: false, cause: failure })
}

function requestFacts({ method, path }: ClientError): { request?: string } {
  return typeof method === 'string' && typeof path === 'string' ? { request: `${method} ${path}` } : {}
}

function fromConnection(
  error: ClientError,
  { task = 'reach the service', baseUrl, serverSource, env = {} }: FailedCommand,
): Failure {
  const proxy = baseUrl === undefined ? undefined : proxyOf(baseUrl, env)
  const where = baseUrl === undefined ? '' : ` at ${throughProxy(baseUrl, proxy)}`
  const systemCode = connectionCode(error)
  return new Failure(`could not ${task}${where}: ${connectionProblem(error) ?? 'the connection failed'}`, {
    exitCode: EXIT.unreachable,
    code: 'unreachable',
    hint: connectionHint(systemCode, serverSource, proxy),
    ...requestFacts(error),
    systemCode,
    cause: error,
  })
}

/** Codes of a connection that was not made: with a proxy, that to the proxy. */
const NOT_CONNECTED = /^(?:ENOTFOUND|EAI_|ECONNREFUSED|EHOST|ENET|UND_ERR_CONNECT)/

/** Returns what to do when no response arrives, by the code of the system, where the URL comes from, and the proxy. */
export function connectionHint(code = '', source = NO_SOURCE, proxy?: URL): string {
  const url = `the URL in ${source}`
  if (/^UND_ERR_(?:ABORTED|PRX)/.test(code) || (proxy && NOT_CONNECTED.test(code)))
    return 'check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names hosts that are reached without them'
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return `check the host name in ${source}, and the network`
  if (/^(?:EPROTO|ERR_SSL_|HPE_)/.test(code))
    return `check whether ${url} must begin with http:// or https://`
  if (/CERT|^UNABLE_TO|^SELF_SIGNED|^DEPTH_ZERO/.test(code))
    return `check ${url}; to trust the certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file`
  return `check that the server is running, and check ${url} and any proxy`
}

/** Returns in words what happened to a file, for an error of the file system that a command did not expect. */
function fileMessage(error: unknown): string | undefined {
  const { message, cause, path, syscall } = Object(error) as NodeJS.ErrnoException
  // For example a checkpoint that cannot be written.
  const problem = fileProblem(cause)
  if (problem !== undefined) return `${withoutPeriod(message)}: ${problem}`
  if (typeof path !== 'string' || syscall === undefined || /^spawn/.test(syscall)) return undefined
  return `cannot use ${path}: ${fileProblem(error)}`
}

function fromStatus(error: ClientError, status: number, command: FailedCommand): Failure {
  const isForeign = isForeignPage(error)
  const missing = isMissing(error) && typeof error.path === 'string' ? missingThing(error.path) : undefined
  const code = isForeign ? 'unreachable' : typeof error.code === 'string' ? error.code : `http_${status}`
  const message = missing
    ? `${missing.name} not found`
    : attempted(command, serviceMessage(error) ?? error.message)
  return new Failure(message, {
    exitCode: isForeign ? EXIT.unreachable : (EXIT_BY_STATUS[status] ?? EXIT.failed),
    code,
    status,
    hint: missing ? missing.hint : statusHint(error, status, command),
    details: isObject(error.details) ? error.details : undefined,
    requestId: typeof error.requestId === 'string' ? error.requestId : undefined,
    ...requestFacts(error),
    cause: error,
  })
}

/** Whether the service says that something does not exist. The 404 of a proxy says nothing. */
export const isMissing = (error: unknown): boolean =>
  (Object(error) as ClientError).status === 404 && !isForeignPage(error)

/** Returns what to do about a status, if anything is known. */
function statusHint(error: ClientError, status: number, command: FailedCommand): FailureFacts['hint'] {
  if (isForeignPage(error))
    return status >= 500 ? 'the server, or a proxy before it, failed; try again later' : rootHint(command)
  if (status === 404) return rootHint(command)
  return status === 401 ? refusedKeyHint(command) : HINT_BY_STATUS[status]
}

const FORM_ID = /^\w{12}$/
const THING = /^\/forms\/([^/?]+)(?:\/(responses|webhooks)(?:\/([^/?]+))?)?(?:\?|$)/
const NOUN: Readonly<Record<string, string>> = { responses: 'response', webhooks: 'webhook endpoint' }

/** Returns what the path of a 404 names, such as `response 5 of form guestvoice01`, and what to do. */
function missingThing(path: string): { name: string; hint: NonNullable<FailureFacts['hint']> } | undefined {
  const [, form, list = '', id] = THING.exec(path) ?? []
  if (form === undefined) return undefined
  const name = `form ${decoded(form)}`
  if (id === undefined) {
    const why = FORM_ID.test(form)
      ? 'it does not exist, or this key has no access to its workspace'
      : 'the id of a form has 12 characters, and is not the name in its public link'
    return { name, hint: ({ forms }) => `${why}: ${forms}` }
  }
  return {
    name: `${NOUN[list]} ${decoded(id)} of ${name}`,
    hint: (words) => words[list as 'responses' | 'webhooks'](decoded(form)),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the error of the form if a response or an endpoint was not found because its form does not exist, which costs a request:
 * the service responds in the same way. Returns any other error as it is.
 */
export async function explainNotFound(
  error: unknown,
  context: Context,
  options?: RequestOptions,
): Promise<unknown> {
  const { path } = Object(error) as ClientError
  const [, form, , id] = (isMissing(error) && typeof path === 'string' && THING.exec(path)) || []
  if (form === undefined || id === undefined) return error
  try {
    await (await context.client()).forms.get(decoded(form), options)
  } catch (other) {
    if (isMissing(other)) return other
  }
  return error
}

const UNREACHABLE_NAMES: ReadonlySet<string> = new Set(['ConnectionError', 'TimeoutError'])

/** Whether no response arrived: refused, reset, unknown host, timeout or TLS error. */
export function isUnreachable(error: unknown): boolean {
  if (connectionCode(error) !== undefined) return true
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if (UNREACHABLE_NAMES.has(at.name)) return true
  return false
}
