import type { ErrorCode } from '@formwire/contract'

/** Why something was not carried out. `refusalError` turns it into the error that clients see. */
export interface Refusal {
  /** A sentence for the person who asked. Never contains a secret or what they wrote. */
  readonly message: string
  /** The field at fault, if there is one (ERR-03). */
  readonly field?: string
  /** @default 'validation_failed' */
  readonly code?: ErrorCode | 'conflict'
}

/** A refusal of one field. */
export type FieldRefusal = Refusal & { readonly field: string }

/** A value or a refusal. `Reason` is a list where several refusals are reported together. */
export type Result<Value, Reason = Refusal> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Reason }

export const accepted = <Value>(value: Value): Result<Value, never> => ({ ok: true, value })

export const refused = <Reason extends Refusal>(refusal: Reason): Result<never, Reason> => ({
  ok: false,
  refusal,
})
