import { call, formPath } from '../api.ts'
import { go, link } from '../router.ts'
import { endpoints, forms, liveForms } from '../state/catalog.ts'
import { deliveryPulse, type Logged } from '../state/deliveries.ts'
import { isDismissed, stepsDone } from '../state/first-run.ts'
import { act } from '../ui/announcer.tsx'
import { Button } from '../ui/controls.tsx'
import { useRefreshing } from '../ui/loading.tsx'
import { createSample, openPublic, SAMPLE_ANSWERS } from './builder/form-commands.tsx'
import { startReceiver } from './server/receiver-script.tsx'

/** Does a step, and reads what it has changed. */
async function take(work: () => Promise<unknown>): Promise<void> {
  await act(work)
  await Promise.all([forms.refresh(), endpoints.refresh()])
}

/** Adds the built-in receiver as an endpoint of a form. Its server knows the secret: nothing has to be saved. */
const addReceiver = (formId: string) =>
  take(async () => {
    const receiver = await startReceiver()
    if (receiver) await call('POST', `${formPath(formId)}/webhooks`, { url: receiver.url })
  })

/**
 * The four steps from an empty server to a signed delivery. Each is ticked as soon as it is done, here or elsewhere.
 *
 * @param newest The newest delivery.
 */
export function FirstRun({ newest: delivery }: { newest: Logged | undefined }) {
  useRefreshing(forms, deliveryPulse)
  const done = stepsDone.value
  const hooks = endpoints.data.value ?? []
  const published = liveForms.value.filter(({ status }) => status === 'published')
  // Only responses to a form with an active endpoint are delivered.
  const form =
    published.find(({ id }) => hooks.some((one) => one.active && one.form_id === id)) ?? published[0]
  const isSample = form?.questions.every(({ id }) => SAMPLE_ANSWERS.some((one) => one.question_id === id))
  const submit = () =>
    form &&
    (isSample
      ? take(() => call('POST', `${formPath(form.id)}/responses`, { answers: SAMPLE_ANSWERS, deliver: true }))
      : openPublic(form))
  const open = () => delivery && go(link(['deliveries', delivery.id]))
  const steps: readonly [title: string, text: string, label: string, run: () => unknown][] = [
    [
      'Publish a form',
      'A sample, or your own under Forms.',
      'Create a sample form',
      () => take(createSample),
    ],
    [
      'Add an endpoint',
      'The built-in receiver, or your own URL under Endpoints.',
      'Use the built-in receiver',
      () => form && addReceiver(form.id),
    ],
    [
      'Submit a response',
      isSample === false ? 'The public form opens in a new tab.' : 'We fill in every question.',
      isSample === false ? 'Open the form' : 'Submit',
      submit,
    ],
    [
      'Receive a signed delivery',
      'Each response is sent to the endpoints of its form.',
      delivery ? 'Open the delivery' : 'Submit another',
      delivery ? open : submit,
    ],
  ]
  const next = done.indexOf(false)
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
        {steps.map(([title, text, label, run], index) => (
          <li key={title} class="card">
            <span class={`badge ${done[index] ? 'good' : ''}`}>
              {done[index] ? '✓' : index + 1}
              <span class="off-screen">{done[index] ? ' done' : ''}</span>
            </span>
            <div class="spring">
              <h3>{title}</h3>
              <p class="muted">{text}</p>
            </div>
            {done[index] ? null : (
              <Button
                class={`button ${index === next ? 'primary' : ''}`}
                isOff={index !== next}
                title={index === next ? undefined : `First: ${steps[next]?.[0].toLowerCase()}`}
                run={run}
              >
                {label}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
