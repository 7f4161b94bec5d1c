import { getSystemErrorMap } from 'node:util'
import { EXIT, type ExitCode } from './exit.ts'

/** What errors advise, in the words of who reads them: the command line names commands, MCP its tools. */
export interface Words {
  forms: string
  responses(form: string): string
  webhooks(form: string): string
  whoami: string
  smallerSample: string
  again: string
}

type Advice = (words: Words) => string

const COMMANDS: Words = {
  forms: 'see formwire forms list',
  responses: (form) => `see formwire responses list ${form}`,
  webhooks: (form) => `see formwire webhooks list ${form}`,
  whoami: 'see formwire whoami',
  smallerSample: 'with --sample N',
  again: 'then run the command again',
}

/** What is reported with a failure besides its message. */
export interface FailureFacts {
  /** One of the documented codes, or that of another program. */
  exitCode: number
  /** Stable code for scripts: the service's error code, or one of the CLI's (`usage`, `no_key`, `unreachable` …). */
  code: string
  /** What to try next. */
  hint?: string | Advice | undefined
  /** The same in other words, if it names commands. */
  advice?: Advice | undefined
  status?: number | undefined
  details?: Record<string, unknown> | undefined
  requestId?: string | undefined
  /** Method and path, such as `GET /forms/guestvoice01`. */
  request?: string | undefined
  /** Code of the system when no response arrived, such as `ECONNREFUSED`. */
  systemCode?: string | undefined
  cause?: unknown
  /** The message is only the reason: what the command was asked to do is put before it. */
  isReason?: boolean
}

/** Why a command failed. The message names what failed and the value, never a key or secret. */
export class Failure extends Error {
  readonly exitCode: number
  readonly code: string
  /** In the words of the command line. */
  readonly hint: string | undefined
  readonly advice: Advice | undefined
  readonly status: number | undefined
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined
  readonly request: string | undefined
  readonly systemCode: string | undefined
  readonly isReason: boolean

  constructor(message: string, facts: FailureFacts) {
    super(message, { cause: facts.cause })
    this.name = 'Failure'
    this.exitCode = facts.exitCode
    this.code = facts.code
    const { hint } = facts
    this.hint = typeof hint === 'function' ? hint(COMMANDS) : hint
    this.advice = typeof hint === 'function' ? hint : facts.advice
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.requestId
    this.request = facts.request
    this.systemCode = facts.systemCode
    this.isReason = facts.isReason === true
  }
}

/** Returns a usage error: exit 2, nothing was done. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(message, { exitCode: EXIT.usage, code: 'usage', hint })
}

/** Returns the failure for something that does not exist: exit 3. */
export function notFound(
  message: string,
  hint?: FailureFacts['hint'],
  facts: Partial<FailureFacts> = {},
): Failure {
  return new Failure(message, { exitCode: EXIT.notFound, code: 'not_found', hint, ...facts })
}

/** Returns a failure with exit 1. */
export function failed(code: string, message: string, hint?: FailureFacts['hint'], cause?: unknown): Failure {
  return new Failure(message, { exitCode: EXIT.failed, code, hint, cause })
}

/** Returns the failure of a command that lacks a valid key or token: exit 4. */
export function notAllowed(code: string, message: string, hint?: string): Failure {
  return new Failure(message, { exitCode: EXIT.notAllowed, code, hint })
}

/** Returns the usage error for an option together with its negation, of which the last would win. */
export function bothGiven(option: string): Failure {
  return usage(`--${option} cannot be combined with --no-${option}`, 'remove one of them')
}

/** Returns the usage error for a file: `cannot read ids.txt: no such file or directory`. */
export function fileFailure(
  doing: `read ${string}` | `write ${string}`,
  error: unknown,
  hint?: string,
): Failure {
  const isLost = doing.startsWith('write') && (error as NodeJS.ErrnoException).code === 'ENOENT'
  const problem = isLost ? 'its directory does not exist' : fileProblem(error)
  return usage(`cannot ${doing}: ${problem ?? (error as Error).message}`, hint)
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'it already exists',
  EPERM: 'permission denied',
  EACCES: 'permission denied',
  EBUSY: 'it is in use by another program',
  EROFS: 'the file system is read-only',
}

/** Returns in words why the system refused to read or write a file. Undefined for another error. */
export function fileProblem(error: unknown): string | undefined {
  const { code, errno } = Object(error) as NodeJS.ErrnoException
  if (code === undefined || errno === undefined) return undefined
  return FILE_PROBLEMS[code] ?? getSystemErrorMap().get(errno)?.[1] ?? code
}

/** Adds the path to an error of the system that has none, such as that of a full disk. */
export function withPath(error: unknown, path: string): unknown {
  const { syscall, path: known } = Object(error) as NodeJS.ErrnoException
  return syscall !== undefined && known === undefined ? Object.assign(error as Error, { path }) : error
}

/** The command was stopped by a signal, because the reader closed its output, or by the reply to a prompt. */
export class Stopped extends Error {
  readonly exitCode: ExitCode
  /** The signal that stopped it. */
  readonly signal: NodeJS.Signals | undefined

  constructor(why: 'interrupted' | 'output closed' | 'declined', signal?: NodeJS.Signals) {
    super(why)
    this.name = 'Stopped'
    this.signal = signal
    this.exitCode = why === 'interrupted' ? EXIT.interrupted : EXIT.done
  }
}
