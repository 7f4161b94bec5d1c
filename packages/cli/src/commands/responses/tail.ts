import type { CheckpointStore, Pause } from '@formwire/sdk'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { tsvLine } from '../../output/table.ts'
import { spanText } from '../../output/time.ts'
import { countOption, required, sinceOption, spanOption } from '../parse.ts'
import { responseColumns } from './columns.ts'
import { startingAt, stateOfNow } from './tail-start.ts'

interface TailOptions {
  since?: string
  checkpoint?: string
  interval?: number
  count?: number
}

/** Often enough to feel live, and a quarter of the rate limit. */
const INTERVAL_MS = 2_000
/** Longest time between two polls of a quiet form. */
const MAX_INTERVAL_MS = 5_000
/** Pauses in a row before a tail gives up: some minutes. */
const MAX_PAUSES = 10

/** `formwire responses tail FORM` */
export const responsesTail = defineCommand<TailOptions>({
  description:
    'Oldest first, from now on, each response once. On a pipe lines as of responses list, with --json NDJSON. A lost ' +
    'connection is told and taken up again; after ten tries in a row it gives up. Ends with Ctrl-C (130) or when the ' +
    'reader closes the pipe (0).',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  options: [
    {
      flags: '--since <time>',
      description: 'begin with responses since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    {
      flags: '--checkpoint <file>',
      description:
        'go on where the last run with this file stopped; a response whose line was not written comes again',
    },
    {
      flags: '--interval <span>',
      description: 'time between two polls (default: 2s, 5s when quiet)',
      parse: spanOption('--interval'),
    },
    { flags: '--count <n>', description: 'end after this many responses', parse: countOption('--count') },
  ],
  examples: [
    ['formwire responses tail 8hTq2LmVx4Rb', 'new responses, as they come in'],
    [
      'formwire responses tail FORM --json --checkpoint seen.json | ./import',
      'feeds a program, and survives restarts',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form], options) {
    const formId = required(form)
    const { runtime, output } = context
    const client = await context.client()
    const store = await checkpointStore(options.checkpoint)
    const since = sinceOption(options.since, runtime.clock)
    // Also finds out whether form and server are there, before waiting begins.
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
        } else tellPause(context, pause)
      },
    })
    output.note('waiting for responses; Ctrl-C ends')
    let shown = 0
    for await (const response of responses) {
      if (output.json) await output.record(response)
      else await output.line(tsvLine(response, columns, output.pens))
      shown += 1
      // Not a break: the checkpoint moves past a response when the next one is asked for.
      if (shown === options.count) giveUp.abort()
    }
    if (failure !== undefined) throw failure
  },
})

/** Full times also on a terminal: a line that scrolls away does not age. */
const columns = responseColumns(0).map((column) => ({ ...column, text: column.plain ?? column.text }))

/** A second 429 in a row ends the tail, as it ends every command; an outage ends it after many tries. */
function isOver({ error, attempt }: Pause): boolean {
  return (error as { status?: number }).status === 429 || attempt > MAX_PAUSES
}

function tellPause(context: Context, { error, waitMs }: Pause): void {
  context.output.announce('paused', `${error.message} Trying again in ${spanText(waitMs)}`, {
    wait_seconds: Math.ceil(waitMs / 1000),
  })
}

async function checkpointStore(path: string | undefined): Promise<CheckpointStore> {
  // The poll itself remembers where it is; a state is only asked for at its start.
  if (path === undefined) return { load: () => undefined, save: () => undefined }
  const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
  return fileCheckpoint(path)
}
