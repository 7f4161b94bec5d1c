import { FaultsCard } from './faults-card.tsx'
import { ReceiverCard } from './receiver-card.tsx'
import { ReceiversCard } from './receivers-card.tsx'
import { SnapshotsCard } from './snapshots-card.tsx'

/** What a tester changes about the server: its receivers, faults and snapshots. */
export function ServerTools() {
  return (
    <>
      <ReceiverCard />
      <ReceiversCard />
      <FaultsCard />
      <SnapshotsCard />
    </>
  )
}
