import { writeFileSync } from 'node:fs'
import type { Tone } from '@formwire/internal/status-tone'
import { defineCommand, type OptionSpec } from '../command.ts'
import { checkKey } from '../config/credentials.ts'
import { failed, usage } from '../failure.ts'
import { serviceFetch } from '../http/proxy.ts'
import { confirmDeletion } from '../input/ask.ts'
import { httpUrl, idArgument } from '../input/parse.ts'
import { assertWritable, type JunitSuite, writeJunit } from '../output/junit.ts'
import type { Output } from '../output/output.ts'
import { hanging, MARKS, TONE_PENS } from '../output/pens.ts'
import { safeLine } from '../output/text-safety.ts'
import { spanText } from '../output/time.ts'
import { chooseForm } from '../pickers/choose.ts'

const OPTIONS = [
  { name: 'form', value: 'id', description: 'same as the form argument' },
  {
    name: 'write',
    description:
      'also run the cases that rename, close and reopen the form; its title and status are restored',
  },
  { name: 'exhaust', description: 'also run the cases that exhaust a rate limit for a minute' },
  {
    name: 'rule',
    value: 'id',
    description: 'run only the cases of this rule, such as FORM-05',
    many: true,
    parse: (text) => text.toUpperCase(),
  },
  { name: 'foreign-form', value: 'id', description: 'id of a form in another workspace, for AUTH-12' },
  {
    name: 'expendable-response',
    value: 'id',
    description: 'with --write: id of a response to delete permanently, for RESP-04',
  },
  { name: 'expendable-form', description: 'with --write: allow the form to be left closed' },
  {
    name: 'webhook-url',
    value: 'url',
    description: 'URL to register as an endpoint; the endpoint is deleted again',
    parse: httpUrl,
  },
  {
    name: 'unspecified-out',
    value: 'file',
    description: 'write the observed behaviour to a file for formwire-server --unspecified',
  },
  {
    name: 'junit',
    value: 'file',
    description: 'also write the results as JUnit XML, one test case per conformance case',
  },
] as const satisfies readonly OptionSpec[]

/** `formwire conformance FORM` */
export const conformance = defineCommand({
  path: ['conformance'],
  summary: 'check a service against the documented rules',
  description:
    'Runs the portable conformance cases against the service and reports for each documented rule whether it holds, ' +
    'with request and response where it does not. Also records how the service behaves where the documentation ' +
    'leaves it open. Read-only unless you pass --write. To include AUTH-03, set FORMWIRE_READ_KEY to a read-only key.',
  arguments: [
    {
      name: '[form]',
      description: 'id of the form to test with',
      choose: chooseForm,
      unless: ['form'],
    },
  ],
  options: OPTIONS,
  examples: {
    'formwire conformance guestvoice01': 'check the service without changing anything',
    'formwire conformance FORM --junit conformance.xml': 'in CI: results for the test report',
    'formwire conformance FORM --write --unspecified-out service.json':
      'also run the cases that write, and save the behaviour for a reference server',
  },
  asks: true,
  exits: [1, 3, 4, 5, 6],
  task: ([form], options) => `check the service with form ${form ?? options.form}`,
  async run(context, [formArgument], options) {
    const formId = formArgument ?? options.form
    if (formId === undefined) throw usage('missing form id', 'pass it as the argument or with --form ID')
    const { output, runtime } = context
    const { baseUrl, apiKey } = context.credentials()
    const { FORMWIRE_READ_KEY: readKey } = runtime.env
    context.hide(readKey)
    if (readKey) checkKey(readKey, 'FORMWIRE_READ_KEY')
    const { write, exhaust, expendableForm, expendableResponse, webhookUrl } = options
    if (expendableResponse !== undefined && !write)
      throw usage('--expendable-response deletes a response and requires --write', 'add --write')
    const expendable =
      expendableResponse === undefined ? undefined : idArgument('response', expendableResponse)
    for (const file of [options.junit, options.unspecifiedOut]) if (file !== undefined) assertWritable(file)
    // Checks the form and the key first, with the same exit codes as every other command.
    const form = await (await context.client()).forms.get(formId)
    if (expendable !== undefined) {
      await confirmDeletion(context, async () => `response ${expendable} of "${form.title}", for RESP-04,`)
    }
    const { renderReport, runConformance } = await import('@formwire/reference-server/conformance')
    const send = await serviceFetch(baseUrl, runtime.env)
    const timed: TimedResult[] = []
    let endedAt = runtime.clock.now()
    const report = await runConformance({
      ...{ baseUrl, apiKey, formId, write, exhaust, expendableForm, webhookUrl },
      readKey: readKey || undefined,
      fetch: send,
      foreignFormId: options.foreignForm,
      expendableResponseId: expendable,
      rules: options.rule,
      wait: async (ms) => {
        output.clearProgress()
        output.announce('rate_limited', `rate limited; resuming in ${spanText(ms)}`, {
          wait_seconds: Math.ceil(ms / 1000),
        })
        await runtime.clock.sleep(ms, runtime.stop)
      },
      onResult: (result) => {
        const startedAt = endedAt
        endedAt = runtime.clock.now()
        timed.push({ result, durationMs: Math.max(0, endedAt - startedAt) })
        output.progress(`${timed.length}: [${result.rules.join('] [')}] ${result.title}`)
      },
    })
    output.clearProgress()
    if (options.unspecifiedOut !== undefined) {
      writeFileSync(options.unspecifiedOut, `${JSON.stringify(report.profile, null, 2)}\n`)
    }
    if (options.junit !== undefined) writeJunit(options.junit, junitSuite(report, timed))
    if (output.json) await output.document(report)
    else if (output.isTerminal) await output.line(reportLines(output, report).join('\n'))
    else await output.write(renderReport(report))
    if (report.results.length === 0)
      throw usage('no conformance case covers that rule', 'rule ids look like FORM-05')
    if (report.totals.broken === 0) return
    throw failed('not_conformant', `${report.totals.broken} of ${report.results.length} cases failed`)
  },
})

const TONES: Readonly<Record<CaseResult['outcome'], Tone>> = {
  held: 'good',
  broken: 'bad',
  observed: 'calm',
  skipped: 'calm',
}

/** Returns the report as a terminal shows it: one line per case, with evidence below broken cases. */
function reportLines(
  { pens, width }: Output,
  { base_url, form_id, write, results, totals }: ConformanceReport,
) {
  const outcomes = Object.keys(TONES) as CaseResult['outcome'][]
  const nameWidth = Math.max(...outcomes.map((outcome) => outcome.length))
  const indent = nameWidth + 4
  return [
    pens.bold(`Conformance of ${base_url}, form ${form_id}${write ? '' : ' (read-only)'}`),
    '',
    ...results.flatMap(({ rules, title, outcome, finding, evidence }) => {
      const pen = pens[TONE_PENS[TONES[outcome]]]
      const head = `${pen(`${MARKS[TONES[outcome]]} ${outcome}`)}${' '.repeat(nameWidth - outcome.length)}  `
      const text = `[${rules.join('] [')}] ${title}${finding === null ? '' : `: ${finding}`}`
      const more = outcome === 'broken' ? evidence : []
      return [
        ...hanging(head, indent, safeLine(text), width),
        ...more.flatMap((line) => hanging(' '.repeat(indent), indent, safeLine(line), width)),
      ]
    }),
    '',
    outcomes.map((outcome) => `${totals[outcome]} ${outcome}`).join(', '),
  ]
}

type Conformance = typeof import('@formwire/reference-server/conformance')

/** The report of a run. Its type alone is imported: only a run loads the reference server. */
type ConformanceReport = Awaited<ReturnType<Conformance['runConformance']>>

/** The result of one case. */
type CaseResult = ConformanceReport['results'][number]

/** A result and how long its case took. */
interface TimedResult {
  result: CaseResult
  durationMs: number
}

/** Returns the results as a JUnit suite: one test case each, with its first rule as the class. */
function junitSuite({ base_url, form_id }: ConformanceReport, results: readonly TimedResult[]): JunitSuite {
  return {
    name: `formwire conformance ${base_url} ${form_id}`,
    cases: results.map(({ result: { rules, title, outcome, finding, evidence }, durationMs }) => ({
      className: `formwire.conformance.${rules[0] ?? ''}`,
      name: `[${rules.join('] [')}] ${title}`,
      durationMs,
      ...(outcome === 'broken'
        ? { failure: [finding ?? 'broken', ...evidence].map(safeLine).join('\n') }
        : {}),
      ...(outcome === 'skipped' ? { skipped: safeLine(finding ?? 'skipped') } : {}),
    })),
  }
}
