import type { DataSource } from '@formwire/contract/control'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import type { Journal } from '../http/journal.ts'
import type { BuiltInReceiver } from './built-in-receiver.ts'
import type { Previews } from './previews.ts'
import type { Receivers } from './receivers.ts'

/** What the routes of the control API work on. */
export interface ControlParts {
  readonly app: App
  readonly context: Context
  readonly journal: Journal
  readonly receivers: Receivers
  readonly builtIn: BuiltInReceiver
  readonly previews: Previews
  /** Whether a delivery belongs to the history of the demo and is as it was, so that waits ignore it. */
  readonly isHistory: (delivery: DeliveryRecord) => boolean
  /** Returns the admin token for a valid code of a link to the console, once. */
  readonly redeemSignIn: (code: unknown) => string | undefined
  /** Returns where the data was pulled from, `null` if it was not. */
  readonly source: () => DataSource | null
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}
