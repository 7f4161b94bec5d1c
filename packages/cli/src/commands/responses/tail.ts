import type { Pause } from '@formwire/sdk'
import { responseColumns } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { countOption, required, sinceOption, spanOption } from '../../input/parse.ts'
import { tsvLine } from '../../output/table.ts'
import { spanText } from '../../output/time.ts'
import { checkpointStore, startingAt, stateOfNow } from '../../polling/start.ts'

interface TailOptions {
  since?: string
  checkpoint?: string
  interval?: number
  count?: number
}

/** Milliseconds between polls: a quarter of the rate limit. */
const INTERVAL_MS = 2_000
/** Milliseconds between polls of a form without new responses, at most. */
const MAX_INTERVAL_MS = 5_000
/** Consecutive pauses, some minutes in total, before a tail fails. */
const MAX_PAUSES = 10

/** `formwire responses tail FORM` */
export const responsesTail = defineCommand<TailOptions>({
  description:
    'Prints every new response exactly once, oldest first, starting now. When piped, prints lines like responses list; ' +
    'with --json, NDJSON. Reports lost connections, reconnects, and gives up after ten failed attempts in a row. Ctrl-C exits ' +
    'with 130; when the reader closes the pipe, exits with 0.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  options: [
    {
      flags: '--since <time>',
      description: 'start with responses since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    {
      flags: '--checkpoint <file>',
      description:
        'save the position to this file and resume from it; a response that was not fully written is printed again',
    },
    {
      flags: '--interval <span>',
      description: 'time between polls (default: 2s, up to 5s without new responses)',
      parse: spanOption('--interval'),
    },
    { flags: '--count <n>', description: 'exit after this many responses', parse: countOption('--count') },
  ],
  examples: [
    ['formwire responses tail 8hTq2LmVx4Rb', 'print new responses as they arrive'],
    [
      'formwire responses tail FORM --json --checkpoint seen.json | ./import',
      'feed a program; resume after a restart',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form], options) {
    const formId = required(form)
    const { runtime, output } = context
    const client = await context.client()
    const store = await checkpointStore(options.checkpoint)
    const since = sinceOption(options.since, runtime.clock)
    // Also checks that the form and the server exist before the first poll.
    const seed =
      since === undefined ? await stateOfNow(client, formId) : void (await client.forms.get(formId))
    const giveUp = new AbortController()
    let failure: unknown
    const responses = client.responses.poll(formId, {
      since,
      checkpoint: startingAt(store, seed),
      intervalMs: options.interval ?? INTERVAL_MS,
      maxIntervalMs: options.interval ?? MAX_INTERVAL_MS,
      signal: AbortSignal.any([runtime.stop, giveUp.signal]),
      onPause(pause) {
        if (isOver(pause)) {
          failure = pause.error
          giveUp.abort()
        } else reportPause(context, pause)
      },
    })
    output.note('waiting for responses (Ctrl-C to stop)')
    let shown = 0
    for await (const response of responses) {
      if (output.json) await output.record(response)
      else await output.line(tsvLine(response, columns, output.pens))
      shown += 1
      // No break: requesting the next response moves the checkpoint past this one.
      if (shown === options.count) giveUp.abort()
    }
    if (failure !== undefined) throw failure
  },
})

/** Absolute times also on a terminal, since a printed line is never updated. */
const columns = responseColumns(0).map((column) => ({ ...column, text: column.plain ?? column.text }))

/** A second 429 in a row ends the tail like every command; an outage ends it after `MAX_PAUSES`. */
function isOver({ error, attempt }: Pause): boolean {
  return (error as { status?: number }).status === 429 || attempt > MAX_PAUSES
}

function reportPause(context: Context, { error, waitMs }: Pause): void {
  context.output.announce('paused', `${error.message} Retrying in ${spanText(waitMs)}`, {
    wait_seconds: Math.ceil(waitMs / 1000),
  })
}
