import { useEffect } from 'preact/hooks'
import { go, link } from '../router.ts'
import { endpoints, forms, liveForms } from '../state/catalog.ts'
import { deliveryLog, deliveryPulse } from '../state/deliveries.ts'
import { isDismissed, stepsDone } from '../state/first-run.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button } from '../ui/controls.tsx'
import { useRefreshing } from '../ui/loading.tsx'
import { createForm } from './builder/form-commands.tsx'
import { addEndpoint } from './endpoint-actions.tsx'

const ENDPOINTS = link(['endpoints'])

const STEPS = [
  ['Publish a form', 'Choose a template, or add questions in the builder.'],
  ['Add an endpoint', 'Use your own URL or the built-in receiver.'],
  ['Submit a response', 'Fill in the public form, which opens in a new tab.'],
  ['Receive a signed delivery', 'Each response is sent to the endpoints of its form.'],
] as const

/** The four steps from an empty server to a signed delivery. Each is ticked as soon as it is done, here or elsewhere. */
export function FirstRun() {
  useRefreshing(forms, deliveryPulse)
  const done = stepsDone.value
  const hooks = endpoints.data.value ?? []
  const published = liveForms.value.filter(({ status }) => status === 'published')
  // Only responses to a form with an active endpoint are delivered.
  const form =
    published.find(({ id }) => hooks.some((one) => one.active && one.form_id === id)) ?? published[0]
  const [draft] = liveForms.value
  const [delivery] = deliveryLog.list.value
  const toForm = link(['forms', form?.id ?? ''])
  const toDelivery = link(['deliveries', delivery?.id ?? ''])
  const toBuilder = draft && link(['forms', draft.id, 'edit'])
  const open = form && (() => window.open(form.url, '_blank', 'noopener'))
  const add = form && (() => addEndpoint(form.id))
  /** Where the result of each step is, the label of its button, and what that does or opens. */
  const buttons: readonly [result: string, label: string, run: string | (() => unknown) | undefined][] = [
    [toForm, draft ? 'Open the builder' : 'New form', toBuilder ?? (() => act(createForm))],
    [ENDPOINTS, hooks.length > 0 ? 'Resume one' : 'Add an endpoint', hooks.length > 0 ? ENDPOINTS : add],
    [toForm, 'Open the form', open],
    [
      toDelivery,
      delivery ? 'Open the delivery' : 'Submit another',
      delivery ? toDelivery : done[1] && done[2] ? open : undefined,
    ],
  ]
  const next = done.indexOf(false)
  useEffect(
    () => () => {
      if (stepsDone.peek().every(Boolean)) announce('All four steps are done: a signed delivery arrived.')
    },
    [],
  )
  return (
    <section class="empty first-run" aria-labelledby="first-run">
      <header class="row">
        <h2 id="first-run">Your first signed delivery</h2>
        <span class="hint spring" role="status">
          {done.filter(Boolean).length} of 4 done
        </span>
        <Button class="button small plain" run={() => (isDismissed.value = true)}>
          Dismiss
        </Button>
      </header>
      <ol class="stack">
        {STEPS.map(([title, text], index) => {
          const [result, label, todo] = buttons[index] ?? []
          const isDone = done[index]
          const run = isDone ? result : todo
          return (
            <li key={title} class="card">
              <span class={`badge ${isDone ? 'good' : ''}`}>
                {isDone ? '✓' : index + 1}
                <span class="off-screen">{isDone ? ' done' : ''}</span>
              </span>
              <div class="spring">
                <h3>{title}</h3>
                <p class="muted">{text}</p>
              </div>
              <Button
                class={`button ${index === next ? 'primary' : ''}`}
                isOff={!run}
                title={run ? undefined : `First: ${STEPS[next]?.[0].toLowerCase()}`}
                run={() => (typeof run === 'string' ? go(run) : run?.())}
              >
                {isDone ? 'Open' : label}
                {isDone ? <span class="off-screen">: {title}</span> : null}
              </Button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
