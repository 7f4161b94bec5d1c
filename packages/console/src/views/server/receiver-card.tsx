/** @jsxImportSource preact */
import type { BuiltInReceiver, ReceiverStep } from '@formwire/contract/control'
import { call } from '../../api.ts'
import { count } from '../../format.ts'
import { builtInReceiver, endpoints } from '../../state/catalog.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { act } from '../../ui/act.ts'
import { Copy } from '../../ui/copy.tsx'
import { useRefreshing } from '../../ui/refreshing.ts'
import { Code } from '../../ui/text.tsx'

const STEPS: readonly (readonly [step: string, text: string])[] = [
  ['500', 'respond with 500'],
  ['503', 'respond with 503'],
  ['404', 'respond with 404'],
  ['302', 'respond with a redirect'],
  ['timeout', 'do not respond: timeout'],
  ['reset', 'close the connection'],
  ['hang-body', 'stop in the middle of the body'],
  ['garbage', 'respond with something other than HTTP'],
]

/** As many steps as a script can have. */
const ALL = 1_000
const COUNTS = [1, 2, 6, ALL] as const

async function setScript(script: readonly ReceiverStep[], done: string): Promise<void> {
  await act(() => call<BuiltInReceiver>('PUT', 'receivers/built-in/script', { script }), done)
  await builtInReceiver.refresh()
}

/** The receiver that the endpoints of the demo point to, and what it does with the next requests. */
export function ReceiverCard() {
  useRefreshing(builtInReceiver, deliveryPulse)
  const receiver = builtInReceiver.data.value
  if (!receiver) return null
  const { steps_left: left } = receiver
  const used = (endpoints.data.value ?? []).filter(({ built_in: isBuiltIn }) => isBuiltIn).length
  return (
    <section class="card" aria-labelledby="receiver-title">
      <header>
        <h2 id="receiver-title">Built-in receiver</h2>
        <span class="muted">
          {count(receiver.received, 'request')}, {count(used, 'endpoint')}
        </span>
      </header>
      <p>
        Responds to every delivery with 200, so that you can try endpoints without a handler of your own. Make
        it fail to see retries.
      </p>
      <p class="with-copy">
        <Code value={receiver.url} /> <Copy text={receiver.url} what="the URL of the receiver" isIcon />
      </p>
      {left > 0 ? (
        <p class="note">
          Set to {receiver.script.length >= ALL ? 'fail from now on' : `fail ${count(left, 'more request')}`}:{' '}
          {STEPS.find(([step]) => step === String(receiver.script.at(-left)))?.[1] ?? 'as scripted'}.
        </p>
      ) : null}
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          const values = new FormData(event.currentTarget)
          const times = Number(values.get('times'))
          void setScript(
            Array<ReceiverStep>(times).fill(String(values.get('step'))),
            'The receiver will fail',
          )
        }}
      >
        <label class="wide">
          Make it
          <select name="step">
            {STEPS.map(([step, text]) => (
              <option key={step} value={step}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          For
          <select name="times">
            {COUNTS.map((times) => (
              <option key={times} value={times}>
                {times === ALL ? 'all requests' : `the next ${times === 1 ? 'request' : `${times} requests`}`}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="button primary">
          Apply
        </button>
        {left > 0 ? (
          <button
            type="button"
            class="button"
            onClick={() => void setScript([], 'The receiver responds with 200')}
          >
            Back to 200
          </button>
        ) : null}
      </form>
    </section>
  )
}
