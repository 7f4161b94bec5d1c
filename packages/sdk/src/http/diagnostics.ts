import { diagnosticsChannel } from '@formwire/internal/diagnostics-channel'

/**
 * One attempt, as the subscribers of the diagnostics channels `formwire:sdk:request:start` and `formwire:sdk:request:end` receive
 * it: the same object twice, the second time with its result.
 */
export interface RequestMessage {
  readonly method: string
  /** Whole URL. Never contains the key. */
  readonly url: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Headers to send, without `authorization`. A subscriber of `start` may add some, such as `traceparent`. */
  readonly headers: Record<string, string>
  /** A subscriber of `start` may set this to send the request in its own context. */
  run?: <Result>(send: () => Result) => Result
  /** Status of the HTTP response, if there was one. */
  status?: number
  /** Why there was no HTTP response: `connection`, `timeout` or `aborted`. */
  failure?: string
}

export const requestStart = /* @__PURE__ */ diagnosticsChannel<RequestMessage>('formwire:sdk:request:start')
export const requestEnd = /* @__PURE__ */ diagnosticsChannel<RequestMessage>('formwire:sdk:request:end')
