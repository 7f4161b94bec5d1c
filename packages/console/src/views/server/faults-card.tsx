import type { Fault } from '@formwire/contract/control'
import { useRef } from 'preact/hooks'
import { call } from '../../api.ts'
import { faults } from '../../state/catalog.ts'
import { act } from '../../ui/announcer.tsx'
import { Button, Field } from '../../ui/controls.tsx'
import { Line } from '../../ui/values.tsx'
import { removeFaults } from './banners.tsx'
import { bannerText, effectText } from './fault-text.ts'

/** The faults that have a button. The control API has others. */
const PRESETS: readonly (readonly [text: string, fault: Fault])[] = [
  ['503 (proxy page)', { status: 503 }],
  ['429', { status: 429, retry_after: 2 }],
  ['Slow (3 s)', { delay_ms: 3_000 }],
  ['Connection closed', { reset: 'before' }],
  ['Half a body', { truncate: true }],
]

function InjectForm() {
  const form = useRef<HTMLFormElement>(null)
  const inject = async (fault: Fault): Promise<void> => {
    if (!form.current?.reportValidity()) return
    const values = new FormData(form.current)
    const path = String(values.get('path')).trim()
    const times = Number(values.get('times'))
    const body = { ...fault, ...(path !== '' && { path }), ...(times > 0 && { times }) }
    await act(() => call('POST', 'faults', body), `Injected ${bannerText(body)}`)
    await faults.refresh()
  }
  return (
    <form ref={form} class="stack" onSubmit={(event) => event.preventDefault()}>
      <div class="row fields">
        <Field label="Path (* = any segment)" name="path" placeholder="any path" spellcheck={false} />
        <Field label="Times" name="times" type="number" min={1} defaultValue="3" placeholder="all" />
      </div>
      <div class="row">
        {PRESETS.map(([text, fault]) => (
          <Button key={text} class="button small" run={() => inject(fault)}>
            {text}
          </Button>
        ))}
      </div>
    </form>
  )
}

/** Injects failures into the API and the public forms, and removes them. */
export function FaultsCard() {
  const active = faults.data.value ?? []
  return (
    <section class="card" aria-labelledby="faults-title">
      <header class="item between">
        <h2 id="faults-title">Faults</h2>
        {active.length > 1 ? (
          <Button class="button small" run={() => removeFaults(active)}>
            Remove all
          </Button>
        ) : null}
      </header>
      <p>
        Inject failures into requests to the API and to public forms, to see how your client handles them.
      </p>
      <ul>
        {active.map((fault) => (
          <li key={fault.id} class="row">
            <Line value={bannerText(fault)} />
            <span class="muted">applied {fault.met}×</span>
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
      <InjectForm />
    </section>
  )
}
