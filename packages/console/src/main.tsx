import './styles/console.css'
import { render } from 'preact'
import { applyTheme } from './preferences.ts'
import { listenToLocation } from './router.ts'
import { signOutWithOthers, token } from './session.ts'
import { keepSessionInNewTabs, signInByFragment } from './sign-in.ts'
import { followClock } from './state/clock.ts'
import { followDeliveries } from './state/deliveries.ts'
import { discardDialog, dismissDialog } from './ui/dialog.tsx'
import { keepFocus } from './ui/focus-keeper.ts'
import { App } from './views/app.tsx'

applyTheme()
await signInByFragment()
// A token can also be pasted into the address bar of an open console. It is removed before the router reads the URL.
addEventListener('hashchange', signInByFragment)
// A dialog belongs to the view that it was opened in. It is closed before the next view gets the focus.
addEventListener('hashchange', dismissDialog)
listenToLocation()
signOutWithOthers(discardDialog)
keepSessionInNewTabs()

keepFocus()

const host = document.getElementById('console')
if (host) render(<App />, host)

followClock(() => token.peek() !== null)
followDeliveries()
