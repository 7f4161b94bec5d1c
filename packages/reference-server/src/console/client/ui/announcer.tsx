/** @jsxImportSource preact */
import { signal } from '@preact/signals'

/** `quiet` is for screen readers alone; `warning` and `error` stay until they are dismissed. */
type Tone = 'done' | 'warning' | 'error' | 'quiet'

/** What the reader can do about it. */
interface NoticeAction {
  readonly text: string
  readonly run: () => void
  /** Called when the notice is taken away without it. */
  readonly waive: () => void
}

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: Tone
  readonly action: NoticeAction | undefined
}

const SHOWN_MS = 5_000
/** Notices at a time; one with an action is never pushed out by others. */
const MOST = 4
const notices = signal<readonly Notice[]>([])
const spoken = signal('')
let nextId = 1

const dismiss = (id: number): void => {
  notices.value = notices.peek().filter((notice) => notice.id !== id)
}

export function dismissNotices(): void {
  for (const { action } of notices.peek()) action?.waive()
  notices.value = []
}

/** The notices that stay when another comes. The same words again take the place of the first. */
function others(text: string): readonly Notice[] {
  const rest = notices.peek().filter((notice) => notice.text !== text || notice.action !== undefined)
  if (rest.length < MOST) return rest
  const oldest = rest.find((notice) => notice.action === undefined)
  return rest.filter((notice) => notice !== oldest)
}

/** Tells the reader what happened, on the screen and through the live region. */
export function announce(text: string, tone: Tone = 'done', action?: NoticeAction): void {
  const id = nextId++
  if (tone === 'done' || tone === 'quiet') {
    // The same words twice are no change to a live region: a zero-width space makes them one.
    spoken.value = spoken.peek() === text ? `${text}\u200b` : text
  }
  if (tone === 'quiet') return
  notices.value = [...others(text), { id, text, tone, action }]
  if (tone === 'done') setTimeout(() => dismiss(id), SHOWN_MS)
}

function OneNotice({ notice: { id, text, tone, action } }: { notice: Notice }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'done' ? undefined : 'alert'}>
      <bdi>{text}</bdi>
      {action ? (
        <button
          type="button"
          class="button small"
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.text}
        </button>
      ) : null}
      <button
        type="button"
        class="button small plain"
        onClick={() => {
          dismiss(id)
          action?.waive()
        }}
        aria-label="Dismiss"
      >
        ×
      </button>
    </div>
  )
}

/**
 * The live regions: in the page from the start, since a region that arrives with its text is not read out. Notices have
 * a place of their own below the view, so that they cover nothing of it.
 */
export function Announcer() {
  return (
    <>
      <div class="off-screen" role="status" aria-live="polite">
        {spoken.value}
      </div>
      <section class="notices" aria-label="Notices">
        {notices.value.map((notice) => (
          <OneNotice key={notice.id} notice={notice} />
        ))}
      </section>
    </>
  )
}
