import type { FunctionComponent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { link, route } from '../router.ts'
import { token } from '../session.ts'
import { builtInReceiver, endpoints, faults } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { Announcer, dismissErrors } from '../ui/announcer.tsx'
import { DialogHost } from '../ui/dialog.tsx'
import { Empty, useRefreshing } from '../ui/loading.tsx'
import { DeliveriesView } from './deliveries.tsx'
import { Heading } from './heading.tsx'
import { Shortcuts } from './keyboard-help.tsx'
import { lazyView } from './lazy-view.tsx'
import { clearSelection } from './log/bulk-actions.tsx'
import { Navigation } from './navigation.tsx'
import { Banners } from './server/banners.tsx'
import { TokenPrompt } from './token-prompt.tsx'

/** The views of items that have one of their own. */
const ITEMS = new Map<string, FunctionComponent<{ id: string }>>([
  ['forms', lazyView('FormView', 'the form')],
  ['endpoints', lazyView('EndpointView', 'the endpoint')],
])
const LISTS = new Map<string, FunctionComponent>([
  ['deliveries', DeliveriesView],
  ['forms', lazyView('FormsView', 'the forms')],
  ['endpoints', lazyView('EndpointsView', 'the endpoints')],
  ['requests', lazyView('RequestsView', 'the requests')],
  ['server', lazyView('ServerView', 'the server')],
])

/** What other programs and deliveries can change while any view is open, and what the stream does not contain. */
const CHANGED_ELSEWHERE = [endpoints, faults, builtInReceiver]

function View() {
  useRefreshing(CHANGED_ELSEWHERE, deliveryPulse)
  const [name = 'deliveries', id] = route.value.path
  const Item = id === undefined ? undefined : ITEMS.get(name)
  if (Item && id !== undefined) return <Item key={id} id={id} />
  const List = LISTS.get(name)
  if (List) return <List />
  return (
    <>
      <Heading title="Not found" />
      <Empty title="Page not found">
        Go to <a href={link(['deliveries'])}>Deliveries</a>.
      </Empty>
    </>
  )
}

/** Identifies the view: another form is another view, another item of the same list is not. */
const viewKey = (): string => {
  const [name = 'deliveries', id, part] = route.value.path
  if (!ITEMS.has(name) || id === undefined) return name
  return `${name} ${id}${part === 'edit' ? ' edit' : ''}`
}

export function App() {
  const key = viewKey()
  const first = useRef(true)
  // Before the view is painted, so that a field that is used immediately keeps the focus.
  useLayoutEffect(() => {
    dismissErrors()
    clearSelection()
    if (first.current) first.current = false
    else document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [key])
  return (
    <>
      {token.value === null ? (
        <TokenPrompt />
      ) : (
        <div class="frame">
          <Shortcuts />
          <Navigation />
          <main>
            <Banners />
            <View />
          </main>
        </div>
      )}
      <DialogHost />
      <Announcer />
    </>
  )
}
