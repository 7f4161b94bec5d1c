import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { link, route } from '../router.ts'
import { token } from '../session.ts'
import { builtInReceiver, endpoints, faults } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { Announcer, dismissErrors } from '../ui/announcer.tsx'
import { DialogHost } from '../ui/dialog.tsx'
import { Empty, useRefreshing } from '../ui/loading.tsx'
import { MenuHost } from '../ui/menu.tsx'
import { ClockBar } from './clock-bar.tsx'
import { DeliveriesView } from './deliveries.tsx'
import { Heading } from './heading.tsx'
import { Shortcuts } from './keyboard-help.tsx'
import { lazyView } from './lazy-view.tsx'
import { Navigation } from './navigation.tsx'
import { FaultBanner, ReceiverBanner } from './server/banners.tsx'
import { SourceBanner } from './server/source-banner.tsx'
import { TokenPrompt } from './token-prompt.tsx'

const FormView = lazyView('FormView', 'the form')
const EndpointView = lazyView('EndpointView', 'the endpoint')
const LISTS: Readonly<Record<string, FunctionComponent>> = {
  deliveries: DeliveriesView,
  forms: lazyView('FormsView', 'the forms'),
  endpoints: lazyView('EndpointsView', 'the endpoints'),
  requests: lazyView('RequestsView', 'the requests'),
  keys: lazyView('KeysView', 'the keys'),
  people: lazyView('PeopleView', 'the people'),
  server: lazyView('ServerView', 'the server'),
}

function View() {
  const [name = 'deliveries', id] = route.value.path
  if (name === 'forms' && id !== undefined) return <FormView key={id} />
  if (name === 'endpoints' && id !== undefined) return <EndpointView key={id} id={id} />
  const List = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
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

/** Views whose items have a view of their own. */
const WITH_ITEMS = ['forms', 'endpoints']

/** Identifies the view: another form is another view, another item of the same list is not. */
const viewKey = (): string => {
  const [name = 'deliveries', id, part] = route.value.path
  if (!WITH_ITEMS.includes(name) || id === undefined) return name
  return `${name} ${id}${part === 'edit' ? ' edit' : ''}`
}

/** What other programs and deliveries can change while any view is open, and what the stream does not contain. */
const CHANGED_ELSEWHERE = [endpoints, faults, builtInReceiver]

function Following() {
  useRefreshing(CHANGED_ELSEWHERE, deliveryPulse)
  return null
}

export function App() {
  const key = viewKey()
  const first = useRef(true)
  useEffect(() => {
    dismissErrors()
    // On a phone, the navigation is a row that is wider than the screen.
    document
      .querySelector('nav [aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
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
          <Following />
          <Navigation />
          <ClockBar />
          <main>
            <SourceBanner />
            <FaultBanner />
            <ReceiverBanner />
            <View />
            <MenuHost />
          </main>
        </div>
      )}
      <DialogHost />
      <Announcer />
    </>
  )
}
