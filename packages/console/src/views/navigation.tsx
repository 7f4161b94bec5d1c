/** @jsxImportSource preact */
import { link, route } from '../router.ts'
import { signOut } from '../session.ts'
import { endpoints, forms, keys } from '../state/catalog.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { forgetSecrets } from '../state/secrets.ts'
import { dismissNotices } from '../ui/announcer.tsx'

interface Item {
  readonly path: string
  readonly text: string
  readonly tally?: () => number | undefined
}

const ITEMS: readonly Item[] = [
  { path: 'deliveries', text: 'Deliveries', tally: () => deliveryLog.list.value.length },
  { path: 'forms', text: 'Forms', tally: () => forms.data.value?.filter((form) => !form.trashed).length },
  { path: 'endpoints', text: 'Endpoints', tally: () => endpoints.data.value?.length },
  { path: 'requests', text: 'Requests' },
  {
    path: 'keys',
    text: 'Keys',
    tally: () => keys.data.value?.filter((key) => key.revoked_at === null).length,
  },
  { path: 'people', text: 'People' },
  { path: 'server', text: 'Server' },
]

/** Signs out and removes secrets and notices from the tab. */
function leave(): void {
  signOut()
  forgetSecrets()
  dismissNotices()
}

export function Navigation() {
  const current = route.value.path[0] ?? 'deliveries'
  return (
    <nav aria-label="Views">
      <a class="brand" href={link(['deliveries'])}>
        <img src="console/icon.svg" alt="" width="24" height="24" />
        Formwire
      </a>
      <ul>
        {ITEMS.map(({ path, text, tally }) => {
          const amount = tally?.()
          return (
            <li key={path}>
              <a href={link([path])} aria-current={current === path ? 'page' : undefined}>
                {text}
                {amount ? (
                  <span class="tally" aria-hidden="true">
                    {amount.toLocaleString('en')}
                  </span>
                ) : null}
              </a>
            </li>
          )
        })}
      </ul>
      <button type="button" class="button plain small leave" onClick={leave}>
        Sign out
      </button>
    </nav>
  )
}
