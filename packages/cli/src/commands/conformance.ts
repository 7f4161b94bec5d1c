import { writeFileSync } from 'node:fs'
import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { spanText } from '../output/time.ts'
import { confirmDeletion } from './confirm.ts'
import { idArgument, urlOption } from './parse.ts'

interface ConformanceOptions {
  form?: string
  write?: boolean
  exhaust?: boolean
  rule?: string[]
  foreignForm?: string
  expendableResponse?: string
  expendableForm?: boolean
  webhookUrl?: string
  unspecifiedOut?: string
}

/** `formwire conformance FORM` */
export const conformance = defineCommand<ConformanceOptions>({
  description:
    'Runs the portable cases of the documented rules against the service, one after the other, and says for each ' +
    'whether it holds, with what was asked and what came where it does not. What the documentation leaves open is ' +
    'observed. Read-only unless --write is given. A read-only key in FORMWIRE_READ_KEY lets it try AUTH-03.',
  arguments: [{ name: '[form]', description: 'id of a form to look at' }],
  options: [
    { flags: '--form <id>', description: 'the form, where it is not given as the argument' },
    {
      flags: '--write',
      description: 'also the cases that rename, close and reopen the form, and put it back as it was',
    },
    { flags: '--exhaust', description: 'also the cases that use up a rate limit for a minute' },
    {
      flags: '--rule <id>',
      description: 'only the cases of this rule, such as FORM-05; repeatable',
      parse: (text: string, previous: never) => [
        ...((previous as string[] | undefined) ?? []),
        text.toUpperCase(),
      ],
    },
    { flags: '--foreign-form <id>', description: 'id of a form in another workspace, for AUTH-12' },
    {
      flags: '--expendable-response <id>',
      description: 'with --write: response to delete for good, for RESP-04',
    },
    { flags: '--expendable-form', description: 'with --write: the form may be left closed' },
    {
      flags: '--webhook-url <url>',
      description: 'address to register as an endpoint, removed again',
      parse: urlOption('--webhook-url'),
    },
    {
      flags: '--unspecified-out <file>',
      description: 'write what was observed as a file for formwire-server --unspecified',
    },
  ],
  examples: [
    ['formwire conformance 8hTq2LmVx4Rb', 'reads only'],
    [
      'formwire conformance TESTFORM --write --unspecified-out service.json',
      'and lets a reference server behave alike',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [formArgument], options) {
    const formId = formArgument ?? options.form
    if (formId === undefined) throw usage('conformance needs a form', 'give its id, or --form ID')
    const { output, runtime } = context
    const { baseUrl, apiKey } = context.credentials()
    if (options.expendableResponse !== undefined && !options.write) {
      throw usage('--expendable-response deletes a response and needs --write', 'add --write')
    }
    const expendable =
      options.expendableResponse === undefined
        ? undefined
        : idArgument('response', options.expendableResponse)
    // Whether form and key are right is found out with the exit codes of every other command.
    const form = await (await context.client()).forms.get(formId)
    if (expendable !== undefined) {
      await confirmDeletion(context, async () => `response ${expendable} of "${form.title}", for RESP-04,`)
    }
    context.hide(runtime.env.FORMWIRE_READ_KEY)
    const { renderReport, runConformance } = await import('@formwire/reference-server/conformance')
    const readKey = runtime.env.FORMWIRE_READ_KEY
    let judged = 0
    const report = await runConformance({
      baseUrl,
      apiKey,
      formId,
      write: options.write === true,
      exhaust: options.exhaust === true,
      expendableForm: options.expendableForm === true,
      ...(readKey ? { readKey } : {}),
      ...(options.foreignForm === undefined ? {} : { foreignFormId: options.foreignForm }),
      ...(expendable === undefined ? {} : { expendableResponseId: expendable }),
      ...(options.webhookUrl === undefined ? {} : { webhookUrl: options.webhookUrl }),
      ...(options.rule === undefined ? {} : { rules: options.rule }),
      wait: async (ms) => {
        output.clearProgress()
        output.announce('rate_limited', `rate limited; going on in ${spanText(ms)}`, {
          wait_seconds: Math.ceil(ms / 1000),
        })
        await runtime.clock.sleep(ms, runtime.stop)
      },
      onResult: ({ rules, title }) => {
        judged += 1
        output.progress(`${judged}: [${rules.join('] [')}] ${title}`)
      },
    })
    output.clearProgress()
    if (options.unspecifiedOut !== undefined) {
      writeFileSync(options.unspecifiedOut, `${JSON.stringify(report.profile, null, 2)}\n`)
    }
    if (output.json) await output.document(report)
    else await output.write(renderReport(report))
    if (report.results.length === 0) throw usage('no case has such a rule', 'rule ids look like FORM-05')
    if (report.totals.broken === 0) return
    throw new Failure(`${report.totals.broken} of ${report.results.length} cases are broken`, {
      exitCode: EXIT.failed,
      code: 'not_conformant',
    })
  },
})
