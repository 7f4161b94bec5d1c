import { endpoints, liveForms } from '../state/catalog.ts'
import { totals } from '../state/deliveries.ts'
import type { IconName } from '../ui/controls.tsx'

interface NamedView {
  /** First segment of its URL. */
  readonly path: string
  readonly text: string
  readonly icon: IconName
  readonly tally?: () => number | undefined
}

/** The views, in the order of the navigation. */
export const VIEWS: readonly NamedView[] = [
  { path: 'deliveries', text: 'Deliveries', icon: 'deliveries', tally: () => totals.value.all },
  { path: 'forms', text: 'Forms', icon: 'forms', tally: () => liveForms.value.length },
  { path: 'endpoints', text: 'Endpoints', icon: 'endpoints', tally: () => endpoints.data.value?.length },
  { path: 'requests', text: 'Requests', icon: 'requests' },
  { path: 'server', text: 'Server', icon: 'server' },
]
