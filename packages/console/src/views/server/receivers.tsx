import type { BuiltInReceiver, ReceiverStep } from '@formwire/contract/control'
import { count } from '../../format.ts'
import { builtInReceiver, endpoints } from '../../state/catalog.ts'
import { Button, Select } from '../../ui/controls.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Code } from '../../ui/values.tsx'
import { ALL, BackTo200, STEPS, scriptText, setScript, startReceiver } from './receiver-script.tsx'

const COUNTS = [
  [1, 'the next request'],
  [2, 'the next 2 requests'],
  [6, 'the next 6 requests'],
  [ALL, 'all requests'],
] as const

/** A receiver for trying endpoints, which those of the demo point to. A server without the demo does not start it by itself. */
export function ReceiverCard() {
  const receiver = builtInReceiver.data.value
  if (receiver === undefined) return null
  const used = (endpoints.data.value ?? []).filter(
    ({ url }) => receiver && url.startsWith(receiver.url),
  ).length
  return (
    <section class="card" aria-labelledby="receiver-title">
      <header class="item">
        <h2 id="receiver-title">Built-in receiver</h2>
        <span class="muted">
          {receiver ? `${count(receiver.received, 'request')}, ${count(used, 'endpoint')}` : 'not running'}
        </span>
      </header>
      <p>
        Responds to every delivery with 200, so you can try endpoints without writing a handler. Make it fail
        to see retries.
      </p>
      {receiver ? (
        <Script receiver={receiver} />
      ) : (
        <p>
          <Button run={startReceiver}>Start it</Button>
        </p>
      )}
    </section>
  )
}

/** What the receiver does with the next requests. */
function Script({ receiver }: { receiver: BuiltInReceiver }) {
  const text = scriptText(receiver)
  return (
    <>
      <p class="bar">
        <Code value={receiver.url} /> <Copy text={receiver.url} what="the receiver URL" isIcon />
      </p>
      {text === undefined ? null : <p class="note">{text}.</p>}
      <form
        class="row fields"
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
        <Select label="Make it" name="step" options={STEPS} />
        <Select label="For" name="times" options={COUNTS} />
        <button type="submit" class="button primary">
          Apply
        </button>
        {text === undefined ? null : <BackTo200 class="button" />}
      </form>
    </>
  )
}
