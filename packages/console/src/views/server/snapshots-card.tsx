import { parseJson } from '@formwire/internal/json'
import { useRef } from 'preact/hooks'
import { CallError, call, download } from '../../api.ts'
import { startOver } from '../../state/deliveries.ts'
import { act } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'

async function restore(file: File): Promise<void> {
  const sure = await confirmed({
    title: 'Restore the snapshot?',
    text: (
      <>
        <bdi>{file.name.slice(0, 200)}</bdi> replaces the whole state of the server: forms, responses,
        endpoints and their logs, people and keys. Requests and faults stay.
      </>
    ),
    action: 'Restore snapshot',
  })
  if (!sure) return
  const work = async () => {
    const snapshot = parseJson(await file.text())
    if (snapshot === undefined) throw new CallError(422, `${file.name.slice(0, 80)} is not valid JSON.`)
    await call('PUT', 'snapshot', snapshot)
    return true
  }
  if (await act(work, 'Snapshot restored')) startOver()
}

/** Takes the whole state out as a file, and puts one back. */
export function SnapshotsCard() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <section class="card" aria-labelledby="snapshots-title">
      <header class="item">
        <h2 id="snapshots-title">Snapshots</h2>
      </header>
      <p>
        Download the entire state as a file, to start a test suite from it or to share what you see. It
        contains webhook secrets and key hashes, so treat it as a secret.
      </p>
      <div class="row">
        <Button run={() => act(() => download('snapshot', 'formwire-snapshot.json'), 'Snapshot downloaded')}>
          Download snapshot
        </Button>
        <Button run={() => input.current?.click()}>Restore from a file…</Button>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          class="off-screen"
          tabIndex={-1}
          aria-label="Snapshot file"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (file) void restore(file)
          }}
        />
      </div>
    </section>
  )
}
