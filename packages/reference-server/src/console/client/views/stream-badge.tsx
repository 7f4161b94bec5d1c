/** @jsxImportSource preact */
import type { ConnectionState } from '../live/connection.ts'
import { streamState } from '../state/deliveries.ts'

const WORDS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Reconnecting',
  off: 'Paused',
}

/** Whether what is shown is live. */
export function StreamBadge() {
  return (
    <span class={`stream ${streamState.value}`} role="status" data-testid="stream">
      <i aria-hidden="true" />
      {WORDS[streamState.value]}
    </span>
  )
}
