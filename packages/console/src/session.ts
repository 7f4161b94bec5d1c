import { signal } from '@preact/signals'

const STORAGE_KEY = 'formwire.adminToken'

/** The admin token of this tab, or `null` when signed out. */
export const token = signal<string | null>(sessionStorage.getItem(STORAGE_KEY))

/** What was rejected last: the token, or the code of a link. */
export const refused = signal<'token' | 'link' | null>(null)

/** Characters that are not allowed in a header. `fetch` fails on them as if the server were unreachable. */
const NOT_IN_HEADER = /[^\t\x20-\xff]/

/**
 * Tells the other tabs of this browser to sign out. It never carries a token: any script of the origin, such as one of a public form,
 * could listen.
 */
const leaving = new BroadcastChannel(`formwire.console ${location.pathname}`)

/** @param onLeave Called when another tab has signed out. */
export function signOutWithOthers(onLeave: () => void): void {
  leaving.onmessage = ({ data }) => {
    if (data !== 'leave') return
    signOut()
    onLeave()
  }
}

/** Signs out of all tabs. */
export function signOutEverywhere(): void {
  signOut()
  leaving.postMessage('leave')
}

/** Stores a token, or rejects it if it cannot be sent in a header. */
export function signIn(value: string): void {
  if (NOT_IN_HEADER.test(value)) {
    signOut('token')
    return
  }
  sessionStorage.setItem(STORAGE_KEY, value)
  refused.value = null
  token.value = value
}

/** Removes the token. The prompt shows what was rejected, if anything was. */
export function signOut(reason: 'token' | 'link' | null = null): void {
  sessionStorage.removeItem(STORAGE_KEY)
  refused.value = reason
  token.value = null
}
