import { channel } from 'node:diagnostics_channel'

/** One delivery attempt, as the subscribers of the diagnostics channels receive it: the same object twice. */
export interface AttemptMessage {
  readonly deliveryId: string
  readonly endpointId: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Status of the HTTP response, `null` without one. Set at the end. */
  httpStatus?: number | null
  /** Why the attempt failed, `null` if it did not. Set at the end. */
  error?: string | null
}

export const attemptStart = channel('formwire:delivery:attempt:start')
export const attemptEnd = channel('formwire:delivery:attempt:end')
