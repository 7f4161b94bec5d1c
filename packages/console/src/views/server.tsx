import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, serverUrl } from '../api.ts'
import { startOver } from '../state/deliveries.ts'
import { act } from '../ui/announcer.tsx'
import { Button } from '../ui/controls.tsx'
import { Command } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { Heading } from './heading.tsx'
import { FaultsCard } from './server/faults-card.tsx'
import { ReceiverCard, ReceiversCard } from './server/receivers.tsx'
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

/** How to connect to the server, inject faults and reset it. */
export function ServerView() {
  useEffect(() => {
    void act(() => call<{ version: string }>('GET', 'health')).then((health) => {
      version.value = health?.version
    })
  }, [])
  return (
    <>
      <Heading title="Server" />
      <div class="scroll">
        <div class="server-cards">
          <section class="card">
            <header class="item">
              <h2>Connect</h2>
              {version.value ? <span class="muted">{versionText(version.value)}</span> : null}
            </header>
            <p>For the SDK and the CLI. Use one of the keys printed at startup, or create a new one.</p>
            <Command text={`export FORMWIRE_BASE_URL=${serverUrl()} FORMWIRE_API_KEY=svc_…`} />
            <p>The OpenAPI 3.1 document:</p>
            <Command text={`curl ${serverUrl()}/openapi.json`} />
          </section>
          <ReceiverCard />
          <ReceiversCard />
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
    </>
  )
}
