import { computed, signal } from '@preact/signals'
import { call } from '../api.ts'
import type { ClockState } from '../types.ts'
import { resource } from './resource.ts'

/** The server's clock as it was last read, and when that was on this machine. */
export const clock = resource(async () => {
  const state = await call<ClockState>('GET', 'clock')
  return { mode: state.mode, now: Date.parse(state.now), readAt: performance.now() }
})

export const isManual = computed(() => clock.data.value?.mode === 'manual')

/** Moves every second, so that times that count down are drawn again. */
const tick = signal(0)

/** Now by the server's clock in milliseconds, or `undefined` before it was read. A manual clock stands still. */
export const serverNow = computed(() => {
  const state = clock.data.value
  if (!state || state.mode === 'manual') return state?.now
  tick.value
  return state.now + (performance.now() - state.readAt)
})

export const advancing = signal(false)

/** Moves a manual clock; answers once all that came due is done. @throws CallError */
export async function advance(by: string | number): Promise<void> {
  advancing.value = true
  try {
    await call('POST', 'clock/advance', { by })
  } finally {
    advancing.value = false
    await clock.refresh()
  }
}

const POLL_MS = 5_000

/** Keeps the shown clock right while somebody looks: other programs move a manual clock too. */
export function followClock(isWanted: () => boolean): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') tick.value++
  }, 1_000)
  setInterval(() => {
    if (document.visibilityState === 'visible' && isWanted() && !advancing.peek()) void clock.refresh()
  }, POLL_MS)
}
