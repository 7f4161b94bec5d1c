import { isObjectOrArray, parseJson } from '@formwire/internal/json'
import { useRef } from 'preact/hooks'
import { CallError, call, download } from '../../api.ts'
import { serverNow } from '../../state/clock.ts'
import { startOver } from '../../state/deliveries.ts'
import { act } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'

/** As the server's limit. */
const SNAPSHOT_MAX_BYTES = 256 * 1_048_576

/** Throws as the server would, since 0 means that it cannot be reached: the notice of that ends with the next response. */
async function read(file: File): Promise<unknown> {
  if (file.size > SNAPSHOT_MAX_BYTES)
    throw new CallError(413, 'The file is larger than 256 MiB, the largest snapshot.')
  const refuse = (why: string) => new CallError(422, `${file.name.slice(0, 80)} is not a snapshot: ${why}`)
  const snapshot = parseJson(await file.text())
  if (snapshot === undefined) throw refuse('it is not valid JSON.')
  // The server checks the rest, after the question.
  if (!isSnapshot(snapshot)) throw refuse('it was not downloaded from this page or GET /_app/snapshot.')
  return snapshot
}

/** Tells whether a file is a snapshot, with or without the envelope of the download. */
function isSnapshot(content: unknown): boolean {
  if (!isObjectOrArray(content)) return false
  const { data, formwire } = content as { data?: { formwire?: unknown } | null; formwire?: unknown }
  return (data?.formwire ?? formwire) === 'snapshot'
}

/** Returns `formwire-snapshot-2026-11-23T08-30-00Z.json`, with the time of the server's clock once that has been read. */
function fileName(): string {
  const now = serverNow.peek()
  const time = now === undefined ? '' : `-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  return `formwire-snapshot${time}.json`
}

async function restore(file: File): Promise<void> {
  const snapshot = await act(() => read(file))
  if (snapshot === undefined) return
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
  if (await act(() => call('PUT', 'snapshot', snapshot).then(() => true), 'Snapshot restored')) startOver()
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
        <Button run={() => act(() => download('snapshot', fileName()), 'Snapshot downloaded')}>
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
