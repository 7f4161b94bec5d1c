/** One worker of the fleet: start as many as you like. See the README for its environment. */
import { createFleet } from '@formwire/sync/fleet'

const { FORMWIRE_API_KEYS, FORMWIRE_API_KEY = '', ROUND_SECONDS = 30 } = process.env

const fleet = createFleet({
  // The database comes from FORMWIRE_DATABASE_URL, and the URL of the service from FORMWIRE_BASE_URL.
  workspaces: [{ name: 'main', apiKeys: (FORMWIRE_API_KEYS ?? FORMWIRE_API_KEY).split(',') }],
  intervalMs: 1000 * Number(ROUND_SECONDS),
  onChanges: (changes, workspace) => console.log(`${workspace}: ${changes.length} rows changed`),
  onFormFailed: ({ workspace, formId, error }) =>
    console.error(`${workspace}: form ${formId} cannot be read: ${messageOf(error)}`),
  onError({ workspace = 'queue', error, ended }) {
    console.error(`${workspace}: ${messageOf(error)}`)
    // Such as a revoked key. With several workspaces, the others continue.
    if (ended) end(1)
  },
})

function end(code: number): void {
  process.exitCode = code
  // Waits for the forms in progress.
  void fleet.stop()
}

const messageOf = (error: unknown): string => (error as Error).message

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0))
await fleet.start()
