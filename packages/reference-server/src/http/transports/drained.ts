import type { ServerResponse } from 'node:http'

/** Resolves once more can be written, the connection has closed, or `signal` aborts. */
export function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The first event removes all listeners: a long-lived stream waits here many times.
    const settle = (): void => {
      response.off('drain', settle).off('close', settle)
      signal.removeEventListener('abort', settle)
      resolve()
    }
    response.on('drain', settle).on('close', settle)
    signal.addEventListener('abort', settle)
  })
}
