import { isLoopbackHost } from '@formwire/internal/loopback'
import {
  RECEIVER_CHECKS,
  type ReceiverCheckResult,
  type ReceiverReport,
} from '@formwire/webhook-verify/testing'
import * as z from 'zod'
import { handlerUrl } from '../../input/handler-url.ts'
import { runReceiverCheck, wireReport } from '../../receiver/run-check.ts'
import { invalidArgument, toolFailure } from '../failures.ts'
import type { Session } from '../session.ts'
import { defineTool } from '../tool.ts'
import { untrusted } from '../untrusted.ts'

export const checkReceiver = defineTool({
  name: 'check_receiver',
  group: 'local',
  description:
    'Grade a webhook receiver on this machine: sends it valid, tampered, stale and duplicate deliveries, and says what each failure means.',
  input: z.strictObject({
    url: z.string().max(2048).describe('loopback URL or port'),
    secret: z.string().min(1).max(1000).optional().describe('default: of the endpoint with this URL'),
    only: z.array(z.string().max(40)).min(1).max(50).optional().describe('names of checks'),
    handled_url: z
      .string()
      .max(2048)
      .optional()
      .describe(
        'GET returns how many responses were handled; without it, duplicates are judged by status only',
      ),
  }),
  async run(session, given, { mcpReq }) {
    const url = loopbackUrl('url', given.url)
    const secret = given.secret ?? (await secretOf(session, url))
    session.context.hide(secret)
    const done: ReceiverCheckResult[] = []
    const handled =
      given.handled_url === undefined ? undefined : loopbackUrl('handled_url', given.handled_url)
    const options = { url, secret, only: given.only as never, handled, signal: mcpReq.signal }
    const report = await runReceiverCheck(
      { ...options, onResult: (result) => void done.push(result) },
      session.context.runtime.clock,
    ).catch((error: unknown) => {
      if (!mcpReq.signal.aborted) throw error
      return reportOf(done)
    })
    const { checks, ...result } = wireReport(url, report)
    const left = names(given.only).filter((name) => checks.every((check) => check.name !== name))
    const unknown = given.handled_url === undefined ? byStatusOnly(report) : []
    return {
      // What was not checked may be wrong.
      ok: report.ok && left.length > 0 ? null : report.ok,
      ...(unknown.length > 0 && {
        not_checked: `whether each response is handled once: ${unknown.join(', ')} passed by status only. Pass handled_url.`,
      }),
      ...(left.length > 0 && {
        incomplete: {
          not_run: left,
          hint: 'the receiver is too slow to finish in time: check these alone, with only',
        },
      }),
      ...result,
      checks: checks.map((check, at) => withMarkedResponse(check, report.checks[at]?.quote)),
    }
  },
})

const names = (only: readonly string[] = Object.keys(RECEIVER_CHECKS)): readonly string[] => only

function reportOf(checks: ReceiverCheckResult[]): ReceiverReport {
  const count = (verdict: boolean | null) => checks.filter(({ passed }) => passed === verdict).length
  const ok = checks.every(({ passed, required }) => passed !== false || !required)
  return { ok, passed: count(true), failed: count(false), skipped: count(null), checks }
}

/** Returns the checks of duplicates that passed without a count of handled responses. */
const byStatusOnly = ({ checks }: ReceiverReport): string[] =>
  checks.filter(({ passed, hint }) => passed && hint !== null).map(({ name }) => name)

/** Returns a check with what the receiver wrote apart from the hint, marked as a text of strangers. */
const withMarkedResponse = (check: object, quote: ReceiverCheckResult['quote']) =>
  quote === undefined ? check : { ...check, hint: quote.advice, receiver_answer: untrusted(quote.body) }

/** Returns the URL. @throws Failure `not_loopback` unless its host is this machine, before anything is sent */
function loopbackUrl(name: string, text: string): string {
  const url = handlerUrl(text, { name })
  // As `URL` writes it: 127.1 and 0x7f.1 are 127.0.0.1.
  if (isLoopbackHost(new URL(url).hostname)) return url
  const message = `${name} must be on this machine: 127.0.0.1, [::1] or localhost`
  const hint = 'to check a receiver elsewhere, a person runs: formwire receiver check URL'
  throw toolFailure('not_loopback', message, hint, { details: { argument: name } })
}

/** Returns the secret of the newest endpoint with this URL that the session has created. */
async function secretOf({ local }: Session, url: string): Promise<string> {
  if (local.isRunning) {
    const { endpoints } = await local.catalog('endpoints')
    const same = endpoints.filter((endpoint) => new URL(endpoint.url).href === new URL(url).href)
    const secret = same.map(({ id }) => local.secrets.get(id)).find((one) => one !== undefined)
    if (secret !== undefined) return secret
  }
  throw invalidArgument(
    'secret',
    'no endpoint of the local server with this URL was created in this session',
    'pass the secret that the receiver verifies with; for a receiver under test, any text that begins with whsec_',
  )
}
