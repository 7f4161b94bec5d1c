import type { FormResponse, Formwire } from '@formwire/sdk'
import { member } from '../../columns/members.ts'
import { RESPONSE_FIELDS, responseColumns, responseTailColumns } from '../../columns/responses.ts'
import { defineCommand, formsNamed } from '../../command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { count, sinceOption, span } from '../../input/parse.ts'
import { VIEW, viewOf } from '../../input/view-option.ts'
import { RowPrinter } from '../../output/row-printer.ts'
import { spanText } from '../../output/time.ts'
import { chooseForm } from '../../pickers/choose.ts'
import { OutageReport } from '../../polling/outage-report.ts'
import { type FormPoll, formPolls } from '../../polling/start.ts'
import { reasonOf } from '../../service-message.ts'
import type { ShownTail } from './live-tail.ts'

/** Consecutive pauses, some minutes in total, before a tail fails. */
const MAX_PAUSES = 10

/** `formwire responses tail FORM…` */
export const responsesTail = defineCommand({
  path: ['responses', 'tail'],
  summary: 'print new responses as they arrive',
  description:
    'Prints every new response exactly once, oldest first within a form, starting now. On a terminal, opens a live view ' +
    'with keys (? lists them). When piped, prints lines like responses list, with the form id first if there are several ' +
    'forms; with --json, NDJSON. Waits out rate limits. ' +
    'Reports an outage once when it begins and once when it ends, and gives up after ten failed attempts in a row. ' +
    'Ctrl-C exits with 130; when the reader closes the pipe, exits with 0.',
  arguments: [{ name: '<form...>', description: 'ids of the forms', choose: chooseForm }],
  options: [
    {
      name: 'since',
      value: 'time',
      description: 'start with responses since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    {
      name: 'checkpoint',
      value: 'directory',
      description:
        'save the position of each form in this directory, and resume from it; a response that was not fully written is printed again',
    },
    {
      name: 'interval',
      value: 'span',
      description: 'time between polls',
      default: '2s',
      defaultText: '2s, up to 5s without new responses',
      parse: span,
    },
    { name: 'count', value: 'n', description: 'exit after this many responses', parse: count },
    VIEW,
  ],
  examples: {
    'formwire responses tail guestvoice01': 'print new responses as they arrive',
    'formwire responses tail FORM --json --checkpoint ./seen | ./import':
      'feed a program; resume after a restart',
  },
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: (forms) => `follow the responses of ${formsNamed(forms)}`,
  async run(context, [forms], options) {
    const twice = forms.find((id, at) => forms.indexOf(id) !== at)
    if (twice !== undefined) throw usage(`form ${twice} was given twice`)
    const { runtime } = context
    const view = viewOf(context, options)
    // Loads while the service responds.
    const live = view === 'live' ? import('./live-tail.ts') : undefined
    live?.catch(() => undefined)
    const client = await context.client()
    context.connection = new OutageReport(context.output)
    const polls = await formPolls(client, forms, {
      ...options,
      since: sinceOption(options.since, runtime.clock),
    })
    const { show, quit } = live
      ? await (await live).showResponseTail(context, forms)
      : printed(context, forms, view === 'quiet')
    const over = new AbortController()
    let shown = 0
    const follow = async (formId: string): Promise<void> => {
      const responses = followForm(context, client, formId, over, polls.get(formId))
      for await (const response of responses) {
        // Shown by another form meanwhile: the next run starts with this one.
        if (shown === options.count) return
        shown += 1
        await show(response)
        // No break: requesting the next response moves the checkpoint past this one.
        if (shown === options.count) over.abort()
      }
    }
    const following = Promise.allSettled(
      forms.map(async (formId) => {
        try {
          await follow(formId)
        } catch (error) {
          // One lost form ends the tail of the others, which save their positions.
          over.abort()
          throw error
        }
      }),
    )
    try {
      await Promise.race([following, quit])
    } finally {
      over.abort()
      await following
    }
    const failed = (await following).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  },
})

/** Prints responses as lines: in columns on a terminal, tab-separated on a pipe, NDJSON with `--json`. */
function printed(context: Context, forms: readonly string[], isQuiet: boolean): ShownTail {
  const { output, now } = context
  output.note('waiting for responses (Ctrl-C to stop)', 'wait')
  const isOfMany = forms.length > 1
  const form = isOfMany ? [member('form_id', 'Form')] : []
  const columns = [...form, ...responseColumns(now)]
  const live = responseTailColumns(now, isOfMany)
  const rows = new RowPrinter(output, columns, live, ({ submitted_at: at }) => at)
  return {
    show: (response) => (isQuiet ? undefined : rows.print(response)),
    quit: new Promise(() => undefined),
  }
}

/** Yields the responses of a form. An outage ends it after `MAX_PAUSES`; a rate limit never does. */
async function* followForm(
  context: Context,
  client: Formwire,
  formId: string,
  over: AbortController,
  poll: FormPoll | undefined,
): AsyncGenerator<FormResponse> {
  const giveUp = new AbortController()
  let failure: unknown
  yield* client.responses.poll(formId, {
    ...poll,
    signal: AbortSignal.any([context.runtime.stop, over.signal, giveUp.signal]),
    onPause({ error, attempt, waitMs }) {
      if ((error as { status?: number }).status === 429) reportLimit(context, waitMs)
      else if (attempt <= MAX_PAUSES) context.connection?.lost(reasonOf(error))
      else {
        failure = error
        giveUp.abort()
      }
    },
  })
  if (failure !== undefined) throw failure
}

function reportLimit({ output }: Context, waitMs: number): void {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  output.announce('rate_limited', `rate limited; retrying in ${spanText(seconds * 1000)}`, {
    wait_seconds: seconds,
  })
}
