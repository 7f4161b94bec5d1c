import { computed, signal } from '@preact/signals'
import { call } from '../api.ts'
import { catalogPart } from './catalog.ts'
import { resource } from './resource.ts'

/** The server's clock as last read, and the local time of the reading. */
export const clock = resource(async () => {
  const state = await catalogPart('clock')
  return { mode: state.mode, now: Date.parse(state.now), readAt: performance.now() }
})

export const isManual = computed(() => clock.data.value?.mode === 'manual')

/** Changes every second, so that countdowns are rendered again. */
const tick = signal(0)

/** Current time of the server's clock in milliseconds, or `undefined` before the first reading. */
export const serverNow = computed(() => {
  const state = clock.data.value
  if (!state || state.mode === 'manual') return state?.now
  tick.value
  return state.now + (performance.now() - state.readAt)
})

/** Whether an advance is in progress. */
export const advancing = signal(false)

/** Advances a manual clock. Resolves when everything that came due is done. @throws CallError */
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

/** Keeps the clock up to date while the page is visible, because other programs can change it too. */
export function followClock(isWanted: () => boolean): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') tick.value++
  }, 1_000)
  setInterval(() => {
    if (document.visibilityState === 'visible' && isWanted()) void clock.refresh()
  }, POLL_MS)
}
