import { count } from '../../format.ts'
import { link } from '../../router.ts'
import { faults } from '../../state/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { bannerText } from './fault-text.ts'
import { removeFaults } from './remove-faults.ts'

/** Active faults, above every view: what looks like a bug of a client may be one of them. */
export function FaultBanner() {
  const active = faults.data.value ?? []
  const [first] = active
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
