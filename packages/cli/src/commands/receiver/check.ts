import type { Tone } from '@formwire/internal/status-tone'
import type { ReceiverCheckName, ReceiverCheckResult, ReceiverReport } from '@formwire/webhook-verify/testing'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { failed } from '../../failure.ts'
import { handlerUrl } from '../../input/handler-url.ts'
import { httpUrl } from '../../input/parse.ts'
import { assertWritable, writeJunit } from '../../output/junit.ts'
import { MARKS, TONE_PENS } from '../../output/pens.ts'
import { Progress } from '../../output/progress.ts'
import type { Column } from '../../output/table.ts'
import { wrap } from '../../output/width.ts'

/** `formwire receiver check URL` */
export const receiverCheck = defineCommand({
  path: ['receiver', 'check'],
  summary: 'check a webhook receiver in any language',
  description:
    'Sends valid, unusual, tampered, stale and duplicate deliveries to a webhook receiver in any language and compares the ' +
    'status of each response with the expected one. The responses in these deliveries have new ids in every run and the ' +
    'form id CheckForm001: run it only against a test deployment. The secret that the receiver verifies with comes from ' +
    'FORMWIRE_WEBHOOK_SECRET or stdin. uppercase_signature and not_post are reported but not required.',
  arguments: [{ name: '<url>', description: 'URL of the receiver, localhost:PORT or a port' }],
  options: [
    {
      name: 'secret-stdin',
      description: 'read the secret from the first line of stdin (overrides FORMWIRE_WEBHOOK_SECRET)',
    },
    {
      name: 'only',
      value: 'name',
      many: 'words',
      description: 'run only these checks',
      parse: (text: string) => text.split(','),
    },
    {
      name: 'handled-url',
      value: 'url',
      description:
        'URL that responds to GET with the number of responses handled so far, to check that duplicates are handled once',
      parse: httpUrl,
    },
    { name: 'junit', value: 'file', description: 'also write the results as JUnit XML' },
  ],
  examples: {
    'formwire receiver check http://127.0.0.1:4000/webhooks': 'check a receiver',
    'formwire receiver check http://127.0.0.1:4000/webhooks --only genuine tampered_body':
      'run two checks only',
    'formwire receiver check http://127.0.0.1:4000/webhooks --handled-url http://127.0.0.1:4000/handled --junit receiver.xml':
      'also count how often a response is handled, and write a report for CI',
  },
  exits: [1, 6],
  async run(context, [target], options) {
    const { output, runtime } = context
    const url = handlerUrl(target, { name: '<url>' })
    const { RECEIVER_CHECKS } = await import('@formwire/webhook-verify/testing')
    const { runReceiverCheck } = await import('../../receiver/run-check.ts')
    const only = options.only as ReceiverCheckName[] | undefined
    const total = only ? new Set(only).size : Object.keys(RECEIVER_CHECKS).length
    const checks = {
      url,
      only,
      handled: options.handledUrl,
      signal: runtime.stop,
    }
    if (options.junit !== undefined) assertWritable(options.junit)
    const { readSecret } = await import('../../listen/secret.ts')
    const secret = await readSecret(context, options.secretStdin === true)
    const progress = new Progress(context, 'checks', total)
    progress.show()
    const report = await runReceiverCheck(
      { ...checks, secret, onResult: ({ name }) => progress.show(progress.count + 1, name) },
      runtime.clock,
    )
    progress.end()
    if (options.junit !== undefined) writeJunit(options.junit, suiteOf(url, report))
    await render(context, url, report)
    if (
      options.handledUrl === undefined &&
      report.checks.some(({ hint, passed }) => passed && hint !== null)
    ) {
      output.note(
        'Duplicates were judged by status only; pass --handled-url to check that each is handled once.',
        'wait',
      )
    }
    if (report.ok) return
    const requiredChecks = report.checks.filter(({ required, passed }) => required && passed !== null)
    const count = requiredChecks.filter(({ passed }) => passed === false).length
    throw failed('receiver_failed', `${count} of ${requiredChecks.length} required checks failed`)
  },
})

/** The columns of `receiver check`. The sentence about a failed check is below the table on a terminal. */
const RECEIVER_CHECK_COLUMNS: readonly Column<ReceiverCheckResult>[] = [
  { header: 'check', text: ({ name }) => name },
  { header: 'expected', text: ({ expected }) => expected },
  { header: 'seen', text: seen },
  {
    header: 'verdict',
    text: (check) => `${MARKS[toneOf(check)]} ${verdict(check)}`,
    plain: verdict,
    pen: (check) => TONE_PENS[toneOf(check)],
  },
  { header: 'hint', text: () => '', plain: ({ hint }) => hint ?? '' },
]

function seen({ status, passed }: ReceiverCheckResult): string {
  if (passed === null) return '-'
  return status === null ? 'no response' : String(status)
}

/** The verdict on one check. */
function verdict({ passed, required }: ReceiverCheckResult): string {
  if (passed === null) return 'skipped'
  if (passed) return 'passed'
  return required ? 'failed' : 'failed (not required)'
}

function toneOf({ passed, required }: ReceiverCheckResult): Tone {
  if (passed === null) return 'calm'
  if (passed) return 'good'
  return required ? 'bad' : 'wait'
}

async function render({ output }: Context, url: string, report: ReceiverReport): Promise<void> {
  const { passed, failed, skipped, checks } = report
  if (output.json) {
    const { wireReport } = await import('../../receiver/run-check.ts')
    return await output.document(wireReport(url, report))
  }
  const failures = failuresByHint(checks)
  /** A hint is in the row of the first check that has it. */
  const referring = checks.map((check) => {
    const first = failures.get(check.hint ?? '')?.[0]
    return first === undefined || first === check.name ? check : { ...check, hint: `see ${first}` }
  })
  await output.list(referring, RECEIVER_CHECK_COLUMNS)
  if (output.isTerminal) {
    for (const [hint, names] of failures) {
      const heading = wrap(names.join(', '), output.width).map((line) => output.pens.bold(line))
      const lines = wrap(hint, Math.max(20, output.width - 2)).map((line) => `  ${line}`)
      await output.line(['', ...heading, ...lines].join('\n'))
    }
  }
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  output.note(failed === 0 ? counts : `${counts}; ${requiredText(checks)}`, report.ok ? 'good' : 'bad')
}

/** Returns the names of the failed checks by their hint: what one defect causes has the same. */
function failuresByHint(checks: readonly ReceiverCheckResult[]): Map<string, string[]> {
  const failures = new Map<string, string[]>()
  for (const { name, passed, hint } of checks) {
    if (passed === false && hint !== null) failures.set(hint, [...(failures.get(hint) ?? []), name])
  }
  return failures
}

/** Says how many of the required checks passed, and which checks are not required. */
function requiredText(checks: readonly ReceiverCheckResult[]): string {
  const run = checks.filter(({ passed }) => passed !== null)
  const required = run.filter((check) => check.required)
  const optional = run.filter((check) => !check.required).map(({ name }) => name)
  const text = `${required.filter(({ passed }) => passed).length} of ${required.length} required checks passed`
  return optional.length === 0 ? text : `${text} (not required: ${optional.join(', ')})`
}

function suiteOf(url: string, { checks }: ReceiverReport) {
  return {
    name: `receiver check ${url}`,
    cases: checks.map((check) => {
      const { name, durationMs, passed, required, expected, status, hint } = check
      const failure = `expected ${expected}, got ${status ?? 'no response'}: ${hint}`
      return {
        className: 'formwire.receiver',
        name,
        durationMs,
        ...(passed === false && required ? { failure } : {}),
        ...(passed === false && !required ? { skipped: `${verdict(check)}: ${failure}` } : {}),
        ...(passed === null ? { skipped: hint ?? 'skipped' } : {}),
      }
    }),
  }
}
