import { call } from './api.ts'
import { safeDecode } from './router.ts'
import { signIn, signOut, token } from './session.ts'

/**
 * Signs in with the URL fragment, and removes it: `#code=C` with the one-time code of a link that the server printed, `#token=T` with
 * the admin token; `#code=C&to=/forms` also opens a view. A fragment is never sent to a server, but the browser's history keeps it.
 */
export async function signInByFragment(): Promise<void> {
  const [, kind, value = '', view = '/'] = /^#(code|token)=([^&]*)(?:&to=(.*))?$/.exec(location.hash) ?? []
  if (kind === undefined) return
  history.replaceState(null, '', `${location.pathname}#${safeDecode(view)}`)
  if (kind === 'token') return signIn(safeDecode(value))
  try {
    signIn((await call<{ admin_token: string }>('POST', 'console/sign-in', { code: value })).admin_token)
  } catch {
    // A tab that is signed in stays so when its link is opened again.
    if (token.peek() === null) signOut('link')
  }
}

/**
 * Opens the links of the console that are clicked for a new tab with the session of this one: browsers copy `sessionStorage` only to a
 * tab with an opener. A tab that is opened otherwise asks for the token.
 */
export function keepSessionInNewTabs(): void {
  const open = (event: MouseEvent): void => {
    const forNewTab =
      event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey || event.shiftKey))
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#/"]')
    if (!link || !forNewTab || event.defaultPrevented) return
    event.preventDefault()
    window.open(link.href)
  }
  addEventListener('click', open)
  addEventListener('auxclick', open)
}
