import type { Delivery, DeliveryDetail } from '@formwire/contract/control'
import { call } from '../../api.ts'
import { go, link, route } from '../../router.ts'
import { endpointById } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import type { Resource } from '../../state/resource.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { copyAndAnnounce } from '../../ui/copy.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { MenuButton, type MenuItem, type MenuItems } from '../../ui/menu.tsx'
import { resumeEndpoint } from '../resume-endpoint.ts'
import { attemptedWithNotice, attemptOutcome } from './attempt-outcome.ts'
import { curlCommand, headersSent } from './commands.ts'

type Detail = Resource<DeliveryDetail>

const pathOf = (id: string): string => `deliveries/${encodeURIComponent(id)}`

async function replay(id: string, detail: Detail): Promise<void> {
  const work = () => call<{ id: string }>('POST', `${pathOf(id)}/replay`)
  const copy = await act(work, 'Replayed as a new delivery')
  if (copy?.id) go(link(['deliveries', copy.id], Object.fromEntries(route.peek().query)))
  // It may have failed because the delivery was deleted.
  else void detail.refresh()
}

async function cancel(id: string, detail: Detail): Promise<void> {
  const sure = await confirmed({
    title: 'Cancel the delivery?',
    text: 'It counts as failed and is not retried. You can replay it later.',
    action: 'Cancel delivery',
    dismiss: 'Keep delivery',
  })
  if (!sure) return
  await act(() => call('POST', `${pathOf(id)}/cancel`), 'Delivery cancelled')
  // It may have failed because the delivery has ended meanwhile.
  void detail.refresh()
}

async function retry({ id, attempts }: DeliveryDetail, detail: Detail): Promise<void> {
  const isStarted = await act(() => call('POST', `${pathOf(id)}/retry`).then(() => true))
  void detail.refresh()
  if (!isStarted) return
  const before = new Map([[id, attempts.length]])
  const [ended] = await attemptedWithNotice(before, 'Attempt started. Waiting for the response.')
  if (!ended) return
  if (ended.error === null) announce(`Delivered: ${attemptOutcome(ended)}`)
  else announce(`Attempt ${ended.attempts}: ${attemptOutcome(ended)}`, 'error')
}

const copyItem = (text: string, value: string, what: string): MenuItem => ({
  text,
  icon: 'copy',
  run: () => void copyAndAnnounce(value, what),
})

/** The delivery as a link, and as a command that sends its latest attempt again, without a secret or a token. */
function copyItems(loaded: DeliveryDetail): MenuItems {
  const url = endpointById.peek().get(loaded.webhook_id)?.url
  const { raw_body: body } = loaded
  const latest = loaded.attempts.at(-1)
  const command =
    url && latest && body !== null ? curlCommand(url, headersSent(loaded, latest, url), body) : undefined
  return [
    command !== undefined && copyItem('curl', command, 'the curl command'),
    // The address bar never holds the token.
    copyItem('Link to the delivery', location.href, 'the link'),
  ]
}

interface ActionsProps {
  readonly loaded: DeliveryDetail
  readonly detail: Detail
  /** What shows what came of replaying it. */
  readonly replayed: Delivery | undefined
}

/** Replays a delivery, and resumes its endpoint before if it is paused. */
function ReplayButton({ loaded, detail, replayed }: ActionsProps) {
  const endpoint = endpointById.value.get(loaded.webhook_id)
  const paused = endpoint?.active === false ? endpoint : undefined
  const canReplay = loaded.raw_body !== null
  const isNeeded = loaded.status !== 'pending' && (!replayed || replayed.status === 'failed')
  if (!paused && !canReplay) return null
  const run = async () => {
    if (paused && !(await resumeEndpoint(paused, canReplay ? 'quiet' : 'done'))) return
    if (canReplay) await replay(loaded.id, detail)
  }
  return (
    <Button
      class={`button ${isNeeded ? 'primary' : ''}`}
      aria-keyshortcuts={paused ? undefined : 'p'}
      icon={canReplay ? 'replay' : 'play'}
      run={run}
    >
      {paused ? (canReplay ? 'Resume and replay' : 'Resume the endpoint') : 'Replay'}
    </Button>
  )
}

/** The buttons of an open delivery, in an order in which none takes the place of one that goes. */
export function DeliveryActions(props: ActionsProps) {
  const { loaded, detail } = props
  const due = loaded.next_attempt_at
  const now = serverNow.value
  return (
    <div class="row">
      <ReplayButton {...props} />
      <MenuButton label="Copy as" class="button" items={() => copyItems(loaded)}>
        Copy as
        <Icon name="down" />
      </MenuButton>
      {due === null ? null : <Button run={() => cancel(loaded.id, detail)}>Cancel delivery</Button>}
      {due !== null && now !== undefined && Date.parse(due) > now ? (
        <Button class="button primary" aria-keyshortcuts="r" icon="play" run={() => retry(loaded, detail)}>
          Retry now
        </Button>
      ) : null}
    </div>
  )
}
