import type { BuiltInReceiver, ReceiverStep } from '@formwire/contract/control'
import { call } from '../../api.ts'
import { builtInReceiver } from '../../state/catalog.ts'
import { act } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'

/** What the built-in receiver can be told to do. */
export const STEPS: readonly (readonly [step: string, text: string])[] = [
  ['500', 'respond with 500'],
  ['503', 'respond with 503'],
  ['404', 'respond with 404'],
  ['302', 'respond with a redirect'],
  ['timeout', 'do not respond: timeout'],
  ['reset', 'close the connection'],
  ['hang-body', 'stop in the middle of the body'],
  ['garbage', 'respond with something other than HTTP'],
]

/** Returns the built-in receiver. Starts it if it is not running. Returns `undefined` if that failed, which is announced. */
export async function startReceiver(): Promise<BuiltInReceiver | undefined> {
  const running = builtInReceiver.data.peek()
  if (running) return running
  const started = await act(() => call<BuiltInReceiver>('GET', 'receivers/built-in'))
  await builtInReceiver.refresh()
  return started
}

/** As many steps as a script can have. */
export const ALL = 1_000

/** Makes the receiver do this with the next requests. While it fails, a note in every view says so. */
export async function setScript(script: readonly ReceiverStep[], done: string): Promise<void> {
  const tone = script.some(isFailing) ? 'quiet' : 'done'
  await act(() => call<BuiltInReceiver>('PUT', 'receivers/built-in/script', { script }), done, tone)
  await builtInReceiver.refresh()
}

/** Whether a delivery fails with a step: all but a status of 2xx, at once or after some time. */
function isFailing(step: ReceiverStep): boolean {
  const status = typeof step === 'object' ? (step.status ?? 200) : Number(step)
  return Number.isNaN(status) ? !/^slow\(/.test(String(step)) : status >= 300
}

/** Returns what the receiver will do, such as `The next 2 requests: respond with 503`, or `undefined` while no delivery fails. */
export function scriptText({ script, steps_left: left }: BuiltInReceiver): string | undefined {
  const steps = left === 0 ? [] : script.slice(-left)
  if (!steps.some(isFailing)) return undefined
  const [first] = steps
  const known = steps.every((step) => step === first) && STEPS.find(([name]) => name === String(first))?.[1]
  return `${script.length >= ALL ? 'All requests' : `The next ${left === 1 ? 'request' : `${left} requests`}`}: ${known || 'as scripted'}`
}

/** Sets the receiver back to 200. */
export const BackTo200 = ({ class: classes }: { class: string }) => (
  <Button class={classes} run={() => setScript([], 'The receiver responds with 200')}>
    Back to 200
  </Button>
)
