import type { ConnectionState } from '../live/connection.ts'
import { streamState } from '../state/deliveries.ts'

const WORDS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  off: 'Paused',
}

/** State of the live stream. */
export function StreamBadge() {
  return (
    <span
      class={`hint bar tight stream ${streamState.value === 'live' ? 'good' : 'wait'}`}
      role="status"
      data-testid="stream"
    >
      <i aria-hidden="true" />
      {WORDS[streamState.value]}
    </span>
  )
}
