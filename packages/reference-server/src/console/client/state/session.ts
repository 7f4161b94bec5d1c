import { signal } from '@preact/signals'

const STORAGE_KEY = 'formwire.adminToken'

/** The admin token of this tab, or `null` while nobody is signed in. */
export const token = signal<string | null>(sessionStorage.getItem(STORAGE_KEY))

/** Why the token prompt shows: the last token was refused. */
export const refused = signal(false)

/** What no header can carry: `fetch` fails on it as if the server were away. */
const NO_HEADER = /[^\t\x20-\xff]/

/** Takes a token; one that cannot be a token is refused here, since the server would never see it. */
export function signIn(value: string): void {
  if (NO_HEADER.test(value)) {
    signOut(true)
    return
  }
  sessionStorage.setItem(STORAGE_KEY, value)
  refused.value = false
  token.value = value
}

/** Forgets the token. `wasRefused` tells the prompt to say so. */
export function signOut(wasRefused = false): void {
  sessionStorage.removeItem(STORAGE_KEY)
  refused.value = wasRefused
  token.value = null
}

/**
 * Takes the token out of the address bar: `#token=T`, or `#token=T&to=/forms` to go on to a view. The fragment never
 * reaches a server, and replacing the history entry keeps it out of the back button too.
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
