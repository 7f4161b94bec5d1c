import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, serverUrl } from '../api.ts'
import { link, route } from '../router.ts'
import { startOver } from '../state/deliveries.ts'
import { act } from '../ui/announcer.tsx'
import { Button } from '../ui/controls.tsx'
import { Copy } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { Code } from '../ui/values.tsx'
import { Heading } from './heading.tsx'
import { Access } from './server/access.tsx'
import { FaultsCard } from './server/faults-card.tsx'
import { ReceiverCard } from './server/receivers.tsx'
import { SnapshotsCard } from './server/snapshots-card.tsx'

const version = signal<string | undefined>(undefined)

/** A server that runs from its sources before the first release has no version. */
const versionText = (text: string): string => (text === '0.0.0' ? 'development version' : `version ${text}`)

async function reset(): Promise<void> {
  const sure = await confirmed({
    title: 'Reset the server?',
    text: 'This restores the seed. Forms, responses, endpoints and their logs, people and keys created since then are lost, as are the latest requests, faults and receivers. The keys printed at startup keep working.',
    action: 'Reset server',
  })
  if (!sure) return
  if (await act(() => call('POST', 'reset').then(() => true), 'Server reset')) startOver()
}

const TABS = [
  ['Tools', link(['server'])],
  ['Access', link(['server', 'access'])],
] as const

/** How to connect to the server, inject faults and reset it, and who has access to it. */
export function ServerView() {
  useEffect(() => {
    void act(() => call<{ version: string }>('GET', 'health')).then((health) => {
      version.value = health?.version
    })
  }, [])
  const isAccess = route.value.path[1] === 'access'
  return (
    <>
      <Heading title="Server" />
      <nav class="tabs" aria-label="Server sections">
        {TABS.map(([text, href], index) => (
          <a key={text} href={href} aria-current={isAccess === (index === 1) ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      {isAccess ? <Access /> : <Tools />}
    </>
  )
}

const Tools = () => (
  <div class="scroll">
    <div class="server-cards">
      <section class="card">
        <header class="item">
          <h2>Connect</h2>
          {version.value ? <span class="muted">{versionText(version.value)}</span> : null}
        </header>
        <p>For the SDK and the CLI. Use one of the keys printed at startup, or create a new one.</p>
        <p class="bar">
          <Code value={serverUrl()} /> <Copy text={serverUrl()} what="the base URL" isIcon />
        </p>
        <p>
          <a href={`${serverUrl()}/openapi.json`} target="_blank" rel="noopener">
            OpenAPI 3.1 document
          </a>
        </p>
      </section>
      <ReceiverCard />
      <FaultsCard />
      <SnapshotsCard />
      <section class="card">
        <header class="item">
          <h2>Reset</h2>
        </header>
        <p>Restores the seed. This cannot be undone.</p>
        <Button class="button danger" run={reset}>
          Reset server
        </Button>
      </section>
    </div>
  </div>
)
