import type { SleepClock } from '@formwire/internal/clock'
import {
  type CheckReceiverOptions,
  checkReceiver,
  type ReceiverCheckResult,
  type ReceiverReport,
  ReceiverUnreachableError,
} from '@formwire/webhook-verify/testing'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { asClause } from '../service-message.ts'

/** Checks a receiver. @throws Failure `unreachable`, or `usage` for an invalid option */
export async function runReceiverCheck(
  options: CheckReceiverOptions,
  clock: SleepClock,
): Promise<ReceiverReport> {
  const time = {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
  }
  return await checkReceiver({ ...options, clock: time }).catch((error: Error & { code?: unknown }) => {
    if (error instanceof ReceiverUnreachableError) throw unreachable(error)
    if (error.code === 'invalid_option') throw invalidOption(error)
    throw error
  })
}

/** Returns a report as `--json` and MCP show it. */
export const wireReport = (url: string, { passed, failed, skipped, checks }: ReceiverReport) => ({
  url,
  passed,
  failed,
  skipped,
  checks: checks.map(wireForm),
})

function wireForm({ name, required, expected, status, durationMs, passed, hint }: ReceiverCheckResult) {
  return { name, required, expected, status, duration_ms: durationMs, passed, hint }
}

/** Writes the message of the package as the other errors here are written, with its advice apart. */
function invalidOption({ message }: Error): Failure {
  const [problem = '', ...advice] = asClause(message).split('; ')
  return usage(problem, advice.length === 0 ? undefined : advice.join('; '))
}

function unreachable(error: Error): Failure {
  return new Failure(asClause(error.message), {
    exitCode: EXIT.unreachable,
    code: 'unreachable',
    hint: 'check that the receiver is running, and check the URL',
    cause: error,
  })
}
