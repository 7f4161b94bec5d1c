import { EXIT, type ExitCode } from './exit.ts'

/** What is told of a failure besides its message. */
export interface FailureFacts {
  exitCode: ExitCode
  /** Stable word for scripts: the service's error code, or one of ours (`usage`, `no_key`, `unreachable` ...). */
  code: string
  /** What to try next. */
  hint?: string
  status?: number
  details?: Record<string, unknown>
  requestId?: string
  cause?: unknown
}

/** An end of a command that is not success. Its message holds what failed and with which value, never a key or secret. */
export class Failure extends Error {
  readonly exitCode: ExitCode
  readonly code: string
  readonly hint: string | undefined
  readonly status: number | undefined
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined

  constructor(message: string, facts: FailureFacts) {
    super(message, { cause: facts.cause })
    this.name = 'Failure'
    this.exitCode = facts.exitCode
    this.code = facts.code
    this.hint = facts.hint
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.requestId
  }
}

/** Wrong usage: exit 2, and nothing was done. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(message, {
    exitCode: EXIT.usage,
    code: 'usage',
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The command ended by a signal, or because nobody reads its output any more. */
export class Stopped extends Error {
  readonly exitCode: ExitCode

  constructor(why: 'interrupted' | 'output closed') {
    super(why)
    this.name = 'Stopped'
    this.exitCode = why === 'interrupted' ? EXIT.interrupted : EXIT.done
  }
}
