/** @jsxImportSource preact */
import { FaultsCard } from './faults-card.tsx'
import { ReceiverCard } from './receiver-card.tsx'
import { SnapshotsCard } from './snapshots-card.tsx'

/** What a tester changes about the server: the built-in receiver, faults and snapshots. */
export function ServerTools() {
  return (
    <>
      <ReceiverCard />
      <FaultsCard />
      <SnapshotsCard />
    </>
  )
}
