import { signal } from '@preact/signals'

const STORAGE_KEY = 'formwire.adminToken'

/** The admin token of this tab, or `null` when signed out. */
export const token = signal<string | null>(sessionStorage.getItem(STORAGE_KEY))

/** Whether the last token was rejected. */
export const refused = signal(false)

/** Characters that are not allowed in a header. `fetch` fails on them as if the server were unreachable. */
const NOT_IN_HEADER = /[^\t\x20-\xff]/

/** Messages between the tabs of one console. */
type TabMessage = { readonly kind: 'ask' | 'leave' } | { readonly kind: 'token'; readonly token: string }

/**
 * Reaches the open tabs of this console in this browser. Other pages of the origin could listen, too: the server serves none with
 * scripts of others.
 */
const tabs = new BroadcastChannel(`formwire.console ${location.pathname}`)
const tell = (message: TabMessage): void => tabs.postMessage(message)

/** Whether this tab has just been opened and takes the token of another one. */
let asks = false

/** Tokens of other tabs that were not tried yet: that of one that slept through a restart of the server is no longer valid. */
const offers = new Set<string>()

/**
 * Asks the open tabs for the token if this one has none, so that a link can be opened in a new tab, and responds to the others. The
 * token is stored nowhere but in the tabs, and signing out of one signs out of all.
 *
 * @param onLeave Called when another tab has signed out.
 */
export function shareSession(onLeave: () => void): void {
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = token.peek()
    if (data.kind === 'leave') {
      signOut()
      onLeave()
    } else if (data.kind === 'ask' && own !== null) tell({ kind: 'token', token: own })
    else if (data.kind === 'token' && asks) {
      if (own === null) signIn(data.token)
      else if (data.token !== own) offers.add(data.token)
    }
  }
  if (token.peek() !== null) return
  asks = true
  tell({ kind: 'ask' })
}

/** Signs out of all tabs. */
export function signOutEverywhere(): void {
  signOut()
  tell({ kind: 'leave' })
}

/** Stores a token, or rejects it if it cannot be sent in a header. */
export function signIn(value: string): void {
  if (NOT_IN_HEADER.test(value)) {
    signOut(true)
    return
  }
  sessionStorage.setItem(STORAGE_KEY, value)
  refused.value = false
  token.value = value
}

/**
 * Removes the token. With `wasRefused`, tries one that another tab has offered; if there is none, the prompt shows that the token was
 * rejected.
 */
export function signOut(wasRefused = false): void {
  const [offer] = wasRefused ? offers : []
  if (offer !== undefined) {
    offers.delete(offer)
    signIn(offer)
    return
  }
  sessionStorage.removeItem(STORAGE_KEY)
  offers.clear()
  // The offer of another tab may still come.
  asks = asks && wasRefused
  refused.value = wasRefused
  token.value = null
}

/**
 * Reads the token from the URL fragment and removes it: `#token=T`, or `#token=T&to=/forms` to open a view. A fragment is
 * never sent to a server, and replacing the history entry keeps it out of the browser's history.
 */
export function takeTokenFromFragment(): void {
  const match = /^#token=([^&]*)(?:&to=(.*))?$/.exec(location.hash)
  if (!match) return
  history.replaceState(null, '', `${location.pathname}#${decodePart(match[2] ?? '/')}`)
  signIn(decodePart(match[1] ?? ''))
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
