import type { Context } from '../context.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery } from './receiver.ts'

/** Shows the deliveries: as lines, or as the live view. */
export interface ListenView {
  show(received: ReceivedDelivery, delivery: RawDelivery): void | Promise<void>
  /** Resolves when the user quits; never for lines. */
  readonly quit: Promise<void>
}

/** What a view needs to send a delivery to the handler again. */
export interface ListenViewOptions {
  url: string
  forwardTo: string | undefined
  secret: string
}

/** Opens a view once the receiver is listening. */
export type OpenView = (context: Context, options: ListenViewOptions) => ListenView
