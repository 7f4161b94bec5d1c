import type { Delivery, EndpointDetail } from '@formwire/contract/control'
import { call, formPath } from '../api.ts'
import { count, withoutScheme } from '../format.ts'
import { go, link } from '../router.ts'
import { type Endpoint, endpoints, liveForms } from '../state/catalog.ts'
import { failedDeliveries } from '../state/deliveries.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button, Field, optionsOf, Select } from '../ui/controls.tsx'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed, openForm, revealOnce } from '../ui/dialog.tsx'
import { MenuButton, type MenuItems } from '../ui/menu.tsx'
import { attemptedWithNotice, attemptOutcome } from './delivery/attempt-outcome.ts'
import { replay } from './log/bulk-actions.tsx'
import { endpointPath, resumeEndpoint } from './resume-endpoint.ts'
import { startReceiver } from './server/receiver-script.tsx'

const showSecret = (endpoint: Endpoint, secret: string, title: string) =>
  revealOnce({
    title,
    kind: 'secret',
    value: secret,
    next: endpoint.active && { text: 'Send test event', run: () => void sendTest(endpoint) },
    hint: 'Receivers need this secret to verify signatures.',
  })

/** Fills in the URL of the built-in receiver. */
async function fillInBuiltIn(form: HTMLFormElement | null): Promise<void> {
  const receiver = await startReceiver()
  const input = form?.elements.namedItem('url')
  if (!receiver || !(input instanceof HTMLInputElement)) return
  input.value = receiver.url
  // An error belongs to what was typed before.
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Asks for a URL, and for the form if it is not given, and adds an endpoint. */
export async function addEndpoint(formId?: string): Promise<void> {
  const created = await openForm(
    'Add an endpoint',
    'Add',
    (values) =>
      call<Endpoint & { secret: string }>(
        'POST',
        `${formPath(formId ?? String(values.get('form_id')))}/webhooks`,
        {
          url: String(values.get('url')).trim(),
        },
      ),
    <>
      <p>Each response submitted from now on is sent to this URL as a signed POST.</p>
      {formId === undefined ? (
        <Select label="Form" name="form_id" options={optionsOf(liveForms.value)} />
      ) : null}
      {/* A text, so that the server says what is wrong with it, and not the browser. */}
      <Field
        label="URL"
        name="url"
        autofocus
        inputMode="url"
        placeholder="http://127.0.0.1:4000/hooks"
        required
        autocapitalize="none"
        spellcheck={false}
      />
      <p>
        <button
          type="button"
          class="button small"
          onClick={({ currentTarget: { form } }) => fillInBuiltIn(form)}
        >
          Use the built-in receiver
        </button>
      </p>
    </>,
  )
  if (!created) return
  void endpoints.refresh()
  await showSecret(created, created.secret, 'Endpoint added')
}

async function pause(endpoint: Endpoint): Promise<void> {
  const detail = await act(() => call<EndpointDetail>('GET', endpointPath(endpoint)))
  if (!detail) return
  const pending = detail.pending_deliveries
  if (pending > 0) {
    const sure = await confirmed({
      title: 'Pause the endpoint?',
      text: `${count(pending, 'pending delivery fails and is', 'pending deliveries fail and are')} not retried. You can replay ${pending === 1 ? 'it' : 'them'} after resuming. Responses submitted while the endpoint is paused are never sent.`,
      action: 'Pause endpoint',
    })
    if (!sure) return
  }
  const done = await act(() => call('POST', `${endpointPath(endpoint)}/pause`).then(() => true))
  const text = `Paused ${withoutScheme(endpoint.url)}`
  if (done && pending > 0) announce(`${text}. ${count(pending, 'delivery', 'deliveries')} marked as failed.`)
  else if (done) announce(text, 'done', { text: 'Undo', run: () => void resumeEndpoint(endpoint) })
  await endpoints.refresh()
}

async function rotateSecret(endpoint: Endpoint): Promise<void> {
  const sure = await confirmed({
    title: 'Rotate the secret?',
    text: 'The current secret stops working immediately, including for pending retries. Receivers need the new one.',
    action: 'Rotate secret',
  })
  if (!sure) return
  const rotated = await act(() => call<{ secret: string }>('POST', `${endpointPath(endpoint)}/rotate-secret`))
  if (rotated) await showSecret(endpoint, rotated.secret, 'New secret')
}

async function remove(endpoint: Endpoint): Promise<void> {
  const sure = await confirmed({
    title: 'Delete the endpoint?',
    text: (
      <>
        <bdi>{endpoint.url}</bdi> and its delivery log are removed. Pending deliveries are cancelled.
      </>
    ),
    action: 'Delete endpoint',
  })
  if (!sure) return
  await act(() => call('DELETE', endpointPath(endpoint)), `Deleted ${withoutScheme(endpoint.url)}`)
  await endpoints.refresh()
}

async function sendTest(endpoint: Endpoint): Promise<void> {
  const sent = await act(() => call<Delivery>('POST', `${endpointPath(endpoint)}/test`))
  if (!sent) return
  const view = {
    text: 'View delivery',
    run: () => go(link(['deliveries', sent.id], { webhook: endpoint.id })),
  }
  const url = withoutScheme(endpoint.url)
  const waiting = `Test event sent to ${url}. Waiting for the response.`
  const [first] = await attemptedWithNotice(new Map([[sent.id, 0]]), waiting, view)
  if (!first) return
  const outcome = attemptOutcome(first)
  if (first.error === null) announce(`Test event delivered: ${outcome}, ${url}`, 'done', view)
  else announce(`Test event, first attempt to ${url}: ${outcome}`, 'error', view)
}

/** Says that a resumed endpoint does not get what was submitted while it was paused. */
const neverSentText = ({ health: { not_sent: missed } }: Endpoint): string | undefined =>
  missed > 0
    ? `${count(missed, 'response submitted while paused is', 'responses submitted while paused are')} not sent later.`
    : undefined

/** What is done most: a test event, or to resume a paused endpoint, which sends none, and to replay what failed. */
function mainAction(endpoint: Endpoint) {
  if (endpoint.active)
    return { text: 'Send test event', icon: 'send', run: () => void sendTest(endpoint) } as const
  const missed = endpoint.log.to_replay
  const run = async () => {
    const failed = missed > 0 ? await act(() => failedDeliveries(`webhook_id=${endpoint.id}`)) : []
    if (!failed) return
    const amount = count(failed.length, 'delivery', 'deliveries')
    const sure =
      failed.length < 2 ||
      (await confirmed({
        title: `Resume and replay ${amount}?`,
        text: (
          <>
            Each is sent again, oldest first, as a new delivery, to <bdi>{new URL(endpoint.url).host}</bdi>.
          </>
        ),
        action: 'Resume and replay',
        isDangerous: false,
      }))
    if (sure && (await resumeEndpoint(endpoint, failed.length > 0 ? 'quiet' : 'done'))) await replay(failed)
  }
  const text = missed === 0 ? 'Resume' : `Resume and replay ${missed}`
  return { text, icon: 'play', run: () => void run() } as const
}

export function MainAction({ endpoint, class: className }: { endpoint: Endpoint; class: string }) {
  const { text, icon, run } = mainAction(endpoint)
  return (
    <Button class={`${className} main-action`} title={neverSentText(endpoint)} icon={icon} run={run}>
      {text}
    </Button>
  )
}

/** The menu of an endpoint: what is not needed every day. */
export function EndpointMenu({ endpoint, class: className }: { endpoint: Endpoint; class?: string }) {
  const items = (): MenuItems => [
    mainAction(endpoint),
    { text: 'Open the log', icon: 'log', run: () => go(link(['deliveries'], { webhook: endpoint.id })) },
    { text: 'Copy the URL', icon: 'copy', run: () => void copyAndAnnounce(endpoint.url, 'the URL') },
    endpoint.active
      ? { text: 'Pause', icon: 'pause', run: () => void pause(endpoint) }
      : { text: 'Resume without a replay', icon: 'play', run: () => void resumeEndpoint(endpoint) },
    { text: 'Rotate secret', icon: 'keys', run: () => void rotateSecret(endpoint) },
    { text: 'Delete', icon: 'delete', isDanger: true, run: () => void remove(endpoint) },
  ]
  return <MenuButton label={`Actions of endpoint ${endpoint.id}`} items={items} class={className} />
}
