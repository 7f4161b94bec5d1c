import type { Context } from '../context.ts'
import { RowPrinter } from '../output/row-printer.ts'
import { RECEIVED_COLUMNS, RECEIVED_ROW_COLUMNS } from './columns.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'
import type { HandledDelivery } from './receiver.ts'

/** Shows the deliveries: as lines, as the live view, or not at all. */
export interface ListenView {
  show(received: ReceivedDelivery, delivery: HandledDelivery): void | Promise<void>
  /** Resolves when the user quits; never for lines. */
  readonly quit: Promise<void>
}

/** A delivery that was sent to its handler again. */
export interface Resent {
  received: ReceivedDelivery
  delivery: HandledDelivery
  /** What it led to. */
  message: string
}

/** What a view needs. */
export interface ListenViewOptions {
  /** What is followed, such as `listening on http://127.0.0.1:4000`. */
  title: string
  /** Forms that the title does not name. */
  forms: readonly string[]
  /** Where deliveries go, such as `forwarding to http://localhost:3000/`; empty without a handler. */
  forwarding: string
  /** Sends a delivery to its handler again; undefined without a handler. Resolves to undefined without one for its form. */
  resend: ((received: ReceivedDelivery, delivery: HandledDelivery) => Promise<Resent | undefined>) | undefined
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
export function showPlainly(context: Context): ListenView {
  const rows = new RowPrinter(context.output, RECEIVED_COLUMNS, RECEIVED_ROW_COLUMNS)
  return {
    show: (received) => rows.print(received),
    quit: new Promise(() => undefined),
  }
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
    quit: new Promise(() => undefined),
  }
}
