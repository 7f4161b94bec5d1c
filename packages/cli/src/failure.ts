import { EXIT, type ExitCode } from './exit.ts'

/** What is reported with a failure besides its message. */
export interface FailureFacts {
  /** One of the documented codes, or that of another program. */
  exitCode: number
  /** Stable code for scripts: the service's error code, or one of the CLI's (`usage`, `no_key`, `unreachable` …). */
  code: string
  /** What to try next. */
  hint?: string
  status?: number
  details?: Record<string, unknown>
  requestId?: string
  /** Method and path, such as `GET /forms/8hTq2LmVx4Rb`. */
  request?: string
  cause?: unknown
}

/** Why a command failed. The message names what failed and the value, never a key or secret. */
export class Failure extends Error {
  readonly exitCode: number
  readonly code: string
  readonly hint: string | undefined
  readonly status: number | undefined
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined
  readonly request: string | undefined

  constructor(message: string, facts: FailureFacts) {
    super(message, { cause: facts.cause })
    this.name = 'Failure'
    this.exitCode = facts.exitCode
    this.code = facts.code
    this.hint = facts.hint
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.requestId
    this.request = facts.request
  }
}

/** Returns a usage error: exit 2, nothing was done. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(message, {
    exitCode: EXIT.usage,
    code: 'usage',
    ...(hint === undefined ? {} : { hint }),
  })
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
