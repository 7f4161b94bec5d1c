import { deliveryColumns } from '../../columns/deliveries.ts'
import type { Context } from '../../context.ts'
import type { FollowEvent } from '../../control/follow.ts'
import { tsvLine } from '../../output/table.ts'
import { spanText } from '../../output/time.ts'

/** Prints a tail as lines: tab-separated, or NDJSON with `--json`. Ends after `count` changes, if given. */
export async function tailPlainly(
  context: Context,
  source: AsyncIterable<FollowEvent>,
  count: number | undefined,
): Promise<void> {
  const { output, runtime } = context
  let shown = 0
  for await (const event of source) {
    if (event.type === 'delivery') {
      if (output.json) await output.record(event.delivery)
      else await output.line(tsvLine(event.delivery, deliveryColumns(runtime.clock.now()), output.pens))
      shown += 1
      if (shown === count) return
    } else reportConnection(context, event)
  }
}

/** Reports a change of the connection on stderr. */
function reportConnection(context: Context, event: Exclude<FollowEvent, { type: 'delivery' }>): void {
  const { output } = context
  if (event.type === 'lost') {
    const again = `reconnecting in ${spanText(event.waitMs)}`
    output.announce('connection_lost', `connection lost (${event.reason}); ${again}`)
  } else if (event.type === 'gap') {
    output.announce('gap', 'some changes were missed: the server no longer has them')
  } else if (event.type === 'reset') output.announce('reset', 'the server was reset')
  else if (event.again) output.announce('reconnected', 'reconnected')
  else output.note('waiting for deliveries (Ctrl-C to stop)')
}
