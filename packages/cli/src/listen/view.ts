import type { Context } from '../context.ts'
import { RowPrinter } from '../output/row-printer.ts'
import { liveReceivedColumns, RECEIVED_COLUMNS } from './columns.ts'
import type { HandledDelivery } from './delivery.ts'
import type { Handler } from './handler.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'

/** Shows the deliveries: as lines, as the live view, or not at all. */
export interface ListenView {
  show(received: ReceivedDelivery, delivery: HandledDelivery): void | Promise<void>
  /** Resolves when the user quits a live view. */
  readonly quit?: Promise<void>
}

/** What a live view needs. */
export interface ListenViewOptions {
  /** What is followed, such as `listening on http://127.0.0.1:4000`. */
  title: string
  /** Forms that the title does not name. */
  forms: readonly string[]
  /** Where deliveries go, such as `forwarding to http://localhost:3000/`; empty without a handler. */
  forwarding: string
  /** Sends a delivery to its handler again, signed with the secret. */
  handler: Handler
  secret: string
  /** Returns the URL of the handler of a form, if there are several handlers. */
  targetOf(formId: string | null): string | undefined
  /** Returns the time of the sender's clock, in milliseconds since the epoch. */
  now(): number
  /** What a view that covers the screen repeats, such as a new secret. */
  notes: readonly string[]
}

/** Opens a view once deliveries can arrive. */
export type OpenView = (context: Context, options: ListenViewOptions) => ListenView | Promise<ListenView>

/** Prints deliveries as lines: in columns on a terminal, tab-separated on a pipe, NDJSON with `--json`. */
export function showPlainly({ output }: Context, { now, targetOf }: ListenViewOptions): ListenView {
  const live = liveReceivedColumns(now, targetOf)
  const rows = new RowPrinter(output, RECEIVED_COLUMNS, live, ({ received_at: at }) => at)
  return { show: (received) => rows.print(received) }
}

/** Prints no delivery, and announces only the first that its handler or the verification refuses: the run goes on and would seem to hang. */
export function showFirstRefusal({ output }: Context): ListenView {
  let isAnnounced = false
  return {
    show(received) {
      const { answered, problem, forwarded, response_id } = received
      if (isAnnounced || answered < 300 || !(problem || forwarded)) return
      isAnnounced = true
      const what = response_id === null ? 'a delivery' : `response ${response_id}`
      const text = `the status for ${what} was ${answered}; ${noteOf(received)}`
      output.announce('refused', text, { response_id, answered })
    },
  }
}

/**
 * Keeps what is printed before a live view covers the terminal, of which nothing is to be left when it closes. The latest line is shown
 * as progress. All of it is printed if the command ends without a view. Where stderr is no terminal, it is printed as ever.
 */
export class EarlyNotes {
  readonly #printed: [text: string, event: string | undefined][] = []

  constructor(context: Context) {
    const { output, runtime } = context
    runtime.stop.throwIfAborted()
    if (runtime.stderr.isTTY !== true) return
    output.divert((text, event) => {
      this.#printed.push([text.trimEnd(), event])
      output.progress(text)
    }, false)
    context.leaveView = () => {
      context.leaveView = undefined
      output.divert(undefined)
      output.clearProgress()
      for (const [text, event] of this.#printed)
        if (event === undefined) output.note(text)
        else output.announce(event, text)
    }
  }

  /** What was printed so far. */
  get texts(): string[] {
    return this.#printed.map(([text]) => text)
  }
}
