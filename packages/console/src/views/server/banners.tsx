import type { FaultInForce } from '@formwire/contract/control'
import { call } from '../../api.ts'
import { count } from '../../format.ts'
import { link, route } from '../../router.ts'
import { builtInReceiver, faults, source } from '../../state/catalog.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { useRefreshing } from '../../ui/loading.tsx'
import { bannerText } from './fault-text.ts'
import { BackTo200, scriptText } from './receiver-script.tsx'

/** Removes one fault, or all of them. The notice offers to inject them again, for the requests that they have left. */
export async function removeFaults(removed: readonly FaultInForce[]): Promise<void> {
  const [only] = removed
  const isOne = only !== undefined && removed.length === 1
  const isDone = await act(() => call('DELETE', isOne ? `faults/${only.id}` : 'faults').then(() => true))
  if (isDone)
    announce(isOne ? 'Fault removed' : 'All faults removed', 'done', {
      text: 'Undo',
      run: () => void injectAgain(removed),
    })
  await faults.refresh()
}

async function injectAgain(removed: readonly FaultInForce[]): Promise<void> {
  await act(async () => {
    for (const { id, met, times, ...fault } of removed)
      await call(
        'POST',
        'faults',
        times === undefined ? fault : { ...fault, times: Math.max(1, times - met) },
      )
  }, 'Injected again')
  await faults.refresh()
}

/** Active faults, above every view: what looks like a bug of a client may be one of them. */
export function FaultBanner() {
  const active = faults.data.value ?? []
  const [first] = active
  // Each request uses up one of its times.
  useRefreshing(first && faults, undefined, 1_000)
  if (!first) return null
  return (
    <aside class="row note fault-banner" aria-label="Active faults">
      <strong>{count(active.length, 'active fault')}</strong>
      <bdi class="wrap">{bannerText(first)}</bdi>
      {active.length > 1 ? <span>and {active.length - 1} more</span> : null}
      <span class="bar end">
        <a href={link(['server'])}>Manage</a>
        <Button class="button small" run={() => removeFaults(active)}>
          Remove {active.length === 1 ? 'it' : 'all'}
        </Button>
      </span>
    </aside>
  )
}

/** The built-in receiver while it is set to fail, above every view but the one that shows it: the deliveries look like a fault of the server. */
export function ReceiverBanner() {
  const receiver = builtInReceiver.data.value
  const text = receiver ? scriptText(receiver) : undefined
  if (text === undefined || route.value.path[0] === 'server') return null
  return (
    <aside class="row note fault-banner" aria-label="Built-in receiver">
      <strong>Built-in receiver</strong>
      <span>{text}</span>
      <span class="bar end">
        <a href={link(['server'])}>Manage</a>
        <BackTo200 class="button small" />
      </span>
    </aside>
  )
}

/** Where pulled data comes from, above every view: a copy of a service must not be mistaken for the service. */
export function SourceBanner() {
  const from = source.data.value
  if (!from) return null
  return (
    <aside class="row fault-banner" aria-label="Source of the data">
      <strong>{from.scrubbed === false ? 'Copy with personal data' : 'Scrubbed copy'}</strong>
      <span>
        of <bdi>{from.base_url}</bdi>. Changes stay on this server.
      </span>
    </aside>
  )
}
