/** @jsxImportSource preact */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, serverUrl } from '../api.ts'
import { reloadAll } from '../state/deliveries.ts'
import { forgetSecrets } from '../state/secrets.ts'
import { act } from '../ui/act.ts'
import { Command } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { Heading } from './heading.tsx'

const version = signal<string | undefined>(undefined)

async function reset(): Promise<void> {
  const sure = await confirmed({
    title: 'Reset the server?',
    text: 'Everything goes back to the seed: forms, responses, endpoints and their logs, people and keys made since are gone. The keys that the server printed at its start go on working.',
    action: 'Reset the server',
  })
  if (!sure) return
  const done = await act(() => call('POST', 'reset').then(() => true), 'The server is back at its seed')
  if (!done) return
  forgetSecrets()
  reloadAll()
}

/** Where the server is, and the way back to the seed. */
export function ServerView() {
  useEffect(() => {
    void act(() => call<{ version: string }>('GET', 'health')).then((health) => {
      version.value = health?.version
    })
  }, [])
  return (
    <>
      <Heading title="Server" />
      <div class="scroll page">
        <section class="card">
          <header>
            <h2>Connect</h2>
            {version.value ? <span class="muted">version {version.value}</span> : null}
          </header>
          <p>
            For the SDK and the command line; the key is one of those that the server printed, or a new one.
          </p>
          <Command text={`export FORMWIRE_BASE_URL=${serverUrl()} FORMWIRE_API_KEY=svc_…`} />
          <p>The whole API as OpenAPI 3.1:</p>
          <Command text={`curl ${serverUrl()}/openapi.json`} />
        </section>
        <section class="card">
          <header>
            <h2>Faults</h2>
          </header>
          <p>
            Make the API fail on purpose, here the next three requests, and see how a client bears it. The
            admin token, which stands in the address that the server printed, is expected in
            FORMWIRE_ADMIN_TOKEN:
          </p>
          <Command
            text={`curl ${serverUrl()}/_app/faults -H "Authorization: Bearer $FORMWIRE_ADMIN_TOKEN" -H 'Content-Type: application/json' -d '{"status":503,"times":3}'`}
          />
        </section>
        <section class="card">
          <header>
            <h2>Reset</h2>
          </header>
          <p>Puts everything back to the seed. It cannot be undone.</p>
          <button type="button" class="button danger" onClick={() => void reset()}>
            Reset the server
          </button>
        </section>
      </div>
    </>
  )
}
