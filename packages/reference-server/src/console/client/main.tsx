/** @jsxImportSource preact */
import './styles/console.css'
import { render } from 'preact'
import { listenToAddress } from './router.ts'
import { followClock } from './state/clock.ts'
import { followDeliveries } from './state/deliveries.ts'
import { takeTokenFromFragment, token } from './state/session.ts'
import { App } from './views/app.tsx'

takeTokenFromFragment()
// A token pasted into the address bar of an open console counts too; taken out before the router looks.
addEventListener('hashchange', takeTokenFromFragment)
listenToAddress()

const host = document.getElementById('console')
if (host) render(<App />, host)

followClock(() => token.peek() !== null)
followDeliveries()
