import { signal } from '@preact/signals'
import { BROKEN, CallError, responseCount } from '../api.ts'
import { Button, Icon } from './controls.tsx'

/**
 * `quiet` is for screen readers only. A `warning` stays until it is dismissed; an `error` also goes with the next action or
 * view, and one about an unreachable server once that responds.
 */
type Tone = 'done' | 'warning' | 'error' | 'quiet'

/** Button of a notice. */
export interface NoticeAction {
  readonly text: string
  readonly run: () => void
}

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: Tone
  readonly actions: readonly NoticeAction[]
  readonly isOffline: boolean
}

const SHOWN_MS = 5_000
/** How long one with an action is shown: it must be reached with the keyboard, too. */
const WITH_ACTION_MS = 20_000
const shown = signal<Notice | undefined>(undefined)
const spoken = signal('')
let nextId = 1

function drop(isDropped: (notice: Notice) => boolean): void {
  const notice = shown.peek()
  if (notice && isDropped(notice)) shown.value = undefined
}

/** Removes a notice, by the id that `announce` returned. */
export const dismiss = (id: number): void => drop((notice) => notice.id === id)

/** Removes the errors: they were about an earlier action or another view. */
export const dismissErrors = (): void => drop(({ tone }) => tone === 'error')

/** Removes the notices that say that the server could not be reached. */
export const dismissOffline = (): void => drop(({ isOffline }) => isOffline)

// A response that arrives later shows that the server can be reached again.
responseCount.subscribe(dismissOffline)

/** Shows why a call failed. The token prompt already shows a 401, and a view with stale data that the server cannot be reached. */
export function announceFailure({ message, status }: Pick<CallError, 'message' | 'status'>): void {
  if (status === 0 && document.querySelector('.offline')) announce(message, 'quiet')
  else if (status !== 401) announce(message, 'error', [], status === 0)
}

/**
 * Shows a notice in place of the one before, and announces it to screen readers.
 *
 * @param isOffline Whether it says that the server could not be reached. It is removed once the server responds.
 * @returns Its id, for `dismiss`.
 */
export function announce(
  text: string,
  tone: Tone = 'done',
  action: NoticeAction | readonly NoticeAction[] = [],
  isOffline = false,
): number {
  const id = nextId++
  if (tone === 'done' || tone === 'quiet') {
    // A live region ignores the same text twice, so a zero-width space makes it different.
    spoken.value = spoken.peek() === text ? `${text}\u200b` : text
  }
  if (tone === 'quiet') return id
  const actions = [action].flat()
  shown.value = { id, text, tone, actions, isOffline }
  if (tone === 'done') setTimeout(() => dismiss(id), actions.length > 0 ? WITH_ACTION_MS : SHOWN_MS)
  return id
}

function OneNotice({ notice: { id, text, tone, actions } }: { notice: Notice }) {
  const end = (run?: () => void): void => {
    dismiss(id)
    run?.()
  }
  return (
    <div class={`bar box notice ${tone}`} role={tone === 'done' ? undefined : 'alert'}>
      <bdi class="spring">{text}</bdi>
      {actions.map((action) => (
        <Button key={action.text} class="button small" run={() => end(action.run)}>
          {action.text}
        </Button>
      ))}
      <Button class="button small plain icon-only" run={() => end()} aria-label="Dismiss">
        <Icon name="close" />
      </Button>
    </div>
  )
}

/**
 * The live regions. They are in the page from the start, because a region that is added with its text is not announced.
 */
export const Announcer = () => (
  <>
    <div class="off-screen" role="status" aria-live="polite">
      {spoken.value}
    </div>
    <section class="notices" aria-label="Notices">
      {shown.value && <OneNotice key={shown.value.id} notice={shown.value} />}
    </section>
  </>
)

/** Runs the action of a button and announces the outcome. Returns `undefined` if it failed. */
export async function act<Result>(
  work: () => Promise<Result>,
  done?: string | ((result: Result) => string),
  tone: 'done' | 'quiet' = 'done',
): Promise<Result | undefined> {
  dismissErrors()
  try {
    const result = await work()
    if (done !== undefined) announce(typeof done === 'string' ? done : done(result), tone)
    return result
  } catch (error) {
    if (!(error instanceof CallError)) {
      announce(BROKEN, 'error')
      throw error
    }
    announceFailure(error)
    return undefined
  }
}
