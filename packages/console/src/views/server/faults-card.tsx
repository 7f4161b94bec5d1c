import type { Fault } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { CallError, call } from '../../api.ts'
import { faults } from '../../state/catalog.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button, Select } from '../../ui/controls.tsx'
import { Line } from '../../ui/values.tsx'
import { removeFaults } from './banners.tsx'
import { effectText, targetText, timesText } from './fault-text.ts'

/** What a fault can do, as the form offers it. */
const EFFECTS: readonly (readonly [name: string, text: string, fault: Fault])[] = [
  ['503', 'Respond with 503 and the HTML page of a proxy', { status: 503 }],
  ['429', 'Respond with 429, Retry-After 2 s', { status: 429, retry_after: 2 }],
  ['500', 'Respond with 500 Internal Server Error', { status: 500 }],
  ['502', 'Respond with 502 and the HTML page of a proxy', { status: 502 }],
  ['401', 'Respond with 401 Unauthorized', { status: 401 }],
  ['slow', 'Respond after 3 seconds', { delay_ms: 3_000 }],
  ['reset', 'Close the connection without a response', { reset: 'before' }],
  ['unanswered', 'Handle the request, then close the connection', { reset: 'unanswered' }],
  ['truncate', 'Send half of the body', { truncate: true }],
  ['drip', 'Send the body in small pieces', { drip_ms: 200 }],
]

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [method, method] as const)
/** The paths that the form suggests. */
const PATHS = ['me', 'forms', 'forms/*', 'forms/*/responses', 'forms/*/webhooks']
  .map((path) => `/api/v1/${path}`)
  .concat('/f/*')

function faultOf(values: FormData): Fault {
  const text = (name: string): string => String(values.get(name) ?? '').trim()
  const effect = EFFECTS.find(([name]) => name === text('effect'))?.[2] ?? {}
  return {
    ...effect,
    ...(text('method') !== '' && { method: text('method') }),
    ...(text('path') !== '' && { path: text('path') }),
    ...(text('times') !== '' && { times: Number(text('times')) }),
  }
}

function InjectForm() {
  const [error, setError] = useState<string | undefined>(undefined)
  const inject = async (fault: Fault): Promise<void> => {
    try {
      await call('POST', 'faults', fault)
      setError(undefined)
      announce('Fault injected')
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setError(cause.message)
    }
    await faults.refresh()
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void inject(faultOf(new FormData(event.currentTarget)))
      }}
    >
      <div class="row fields">
        <Select class="field caption wide" label="What happens" name="effect" options={EFFECTS} />
        <Select class="field caption" label="Method" name="method" any="Any" options={METHODS} />
      </div>
      <div class="row fields">
        <label class="field caption wide">
          Path; * is any segment
          <input
            name="path"
            placeholder="any path"
            list="fault-paths"
            autocomplete="off"
            spellcheck={false}
          />
          <datalist id="fault-paths">
            {PATHS.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </label>
        <label class="field caption">
          Requests
          <input name="times" type="number" min={1} defaultValue="3" placeholder="all" />
        </label>
        <button type="submit" class="button primary">
          Inject
        </button>
      </div>
      <p class="field-error" role="alert" hidden={error === undefined}>
        {error}
      </p>
    </form>
  )
}

/** Injects failures into the API and the public forms, and removes them. */
export function FaultsCard() {
  const active = faults.data.value ?? []
  return (
    <section class="card" aria-labelledby="faults-title">
      <header class="item">
        <h2 id="faults-title">Faults</h2>
        <span class="spring" />
        {active.length > 1 ? (
          <Button class="button small" run={() => removeFaults(active)}>
            Remove all
          </Button>
        ) : null}
      </header>
      <p>
        Inject failures into requests to the API and to public forms, to see how your client handles them.
      </p>
      {active.length > 0 ? (
        <ul class="faults">
          {active.map((fault) => (
            <li key={fault.id} class="bar">
              <span class="badge bad">{effectText(fault)}</span>
              <Line value={targetText(fault)} />
              <span class="muted">
                {timesText(fault)}, applied {fault.met}×
              </span>
              <Button
                class="button small end"
                aria-label={`Remove the fault ${effectText(fault)}`}
                run={() => removeFaults([fault])}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <InjectForm />
    </section>
  )
}
