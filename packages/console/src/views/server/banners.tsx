import type { FaultInForce } from '@formwire/contract/control'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { count } from '../../format.ts'
import { link, route } from '../../router.ts'
import { builtInReceiver, faults, source } from '../../state/catalog.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { useRefreshing } from '../../ui/loading.tsx'
import { bannerText, effectText } from './fault-text.ts'
import { BackTo200, scriptText } from './receiver-script.tsx'

/** Removes one fault, or all of them. The notice offers to inject them again, for the requests that they have left. */
export async function removeFaults(removed: readonly FaultInForce[]): Promise<void> {
  const [only] = removed
  const isOne = only !== undefined && removed.length === 1
  const isDone = await act(() => call('DELETE', isOne ? `faults/${only.id}` : 'faults').then(() => true))
  if (isDone)
    announce(isOne ? `Removed ${effectText(only)}` : `Removed ${count(removed.length, 'fault')}`, 'done', {
      text: 'Undo',
      run: () => void injectAgain(removed),
    })
  await faults.refresh()
}

async function injectAgain(removed: readonly FaultInForce[]): Promise<void> {
  await act(
    async () => {
      for (const { id, met, ...fault } of removed) await call('POST', 'faults', fault)
    },
    `Injected again: ${removed.map(effectText).join('; ')}`,
  )
  await faults.refresh()
}

interface BannerProps {
  readonly label: string
  readonly title: string
  /** Button that ends what it is about. */
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

const Banner = ({ label, title, action, children }: BannerProps) => (
  <aside class={`row banner ${action ? 'note' : ''}`} aria-label={label}>
    <strong>{title}</strong>
    <span class="wrap">{children}</span>
    {action && (
      <span class="bar end">
        <a href={link(['server'])}>Manage</a>
        {action}
      </span>
    )}
  </aside>
)

/**
 * What every view shows above itself: where pulled data comes from, which must not be mistaken for the service, and what looks like a
 * bug: active faults, and the built-in receiver while it is set to fail.
 */
export function Banners() {
  const from = source.data.value
  const active = faults.data.value ?? []
  const [first] = active
  // Each request uses up one of its times.
  useRefreshing(first && faults, undefined, 1_000)
  const receiver = builtInReceiver.data.value
  // The view of the server shows it itself.
  const script = receiver && route.value.path[0] !== 'server' ? scriptText(receiver) : undefined
  return (
    <>
      {from ? (
        <Banner
          label="Source of the data"
          title={from.scrubbed === false ? 'Copy with personal data' : 'Scrubbed copy'}
        >
          of <bdi>{from.base_url}</bdi>. Changes stay on this server.
        </Banner>
      ) : null}
      {first ? (
        <Banner
          label="Active faults"
          title={count(active.length, 'active fault')}
          action={
            <Button class="button small" run={() => removeFaults(active)}>
              Remove {active.length === 1 ? 'it' : 'all'}
            </Button>
          }
        >
          <bdi>{bannerText(first)}</bdi>
          {active.length > 1 ? ` and ${active.length - 1} more` : ''}
        </Banner>
      ) : null}
      {script === undefined ? null : (
        <Banner
          label="Built-in receiver"
          title="Built-in receiver"
          action={<BackTo200 class="button small" />}
        >
          {script}
        </Banner>
      )}
    </>
  )
}
