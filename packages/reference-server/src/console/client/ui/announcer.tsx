/** @jsxImportSource preact */
import { signal } from '@preact/signals'

/** `quiet` is for screen readers alone; `error` stays until it is dismissed. */
type Tone = 'done' | 'error' | 'quiet'

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: Tone
}

const SHOWN_MS = 5_000
const notices = signal<readonly Notice[]>([])
const spoken = signal('')
let nextId = 1

const dismiss = (id: number): void => {
  notices.value = notices.peek().filter((notice) => notice.id !== id)
}

/** Tells the reader what happened, on the screen and through the live region. */
export function announce(text: string, tone: Tone = 'done'): void {
  const id = nextId++
  if (tone !== 'error') {
    // The same words twice are no change to a live region: a zero-width space makes them one.
    spoken.value = spoken.peek() === text ? `${text}\u200b` : text
  }
  if (tone === 'quiet') return
  notices.value = [...notices.peek().slice(-3), { id, text, tone }]
  if (tone === 'done') setTimeout(() => dismiss(id), SHOWN_MS)
}

/** The live regions: in the page from the start, since a region that arrives with its text is not read out. */
export function Announcer() {
  return (
    <>
      <div class="off-screen" role="status" aria-live="polite">
        {spoken.value}
      </div>
      <section class="notices" aria-label="Notices">
        {notices.value.map((notice) => (
          <div
            key={notice.id}
            class={`notice ${notice.tone}`}
            role={notice.tone === 'error' ? 'alert' : undefined}
          >
            <bdi>{notice.text}</bdi>
            <button
              type="button"
              class="button small plain"
              onClick={() => dismiss(notice.id)}
              aria-label="Dismiss"
            >
              ×
            </button>
          </div>
        ))}
      </section>
    </>
  )
}
