import type { FollowEvent } from '../../admin/follow.ts'
import type { Context } from '../../context.ts'
import { tsvLine } from '../../output/table.ts'
import { spanText } from '../../output/time.ts'
import { deliveryColumns } from './columns.ts'

/** A tail as lines: tab-separated, or NDJSON with `--json`. Ends after `count` changes, if given. */
export async function tailPlainly(
  context: Context,
  source: AsyncIterable<FollowEvent>,
  count: number | undefined,
): Promise<void> {
  const { output, runtime } = context
  let shown = 0
  for await (const event of source) {
    if (event.type === 'entry') {
      if (output.json) await output.record(event.entry)
      else await output.line(tsvLine(event.entry, deliveryColumns(runtime.clock.now()), output.pens))
      shown += 1
      if (shown === count) return
    } else tellConnection(context, event)
  }
}

/** Says on stderr what happened to the connection. */
function tellConnection(context: Context, event: Exclude<FollowEvent, { type: 'entry' }>): void {
  const { output } = context
  if (event.type === 'lost') {
    const again = `trying again in ${spanText(event.waitMs)}`
    output.announce('connection_lost', `connection lost (${event.reason}); ${again}`)
  } else if (event.type === 'gap') {
    output.announce('gap', 'some changes were missed: the server no longer had them')
  } else if (event.type === 'reset') output.announce('reset', 'the server was reset')
  else if (event.again) output.announce('reconnected', 'connected again')
  else output.note('waiting for deliveries; Ctrl-C ends')
}
