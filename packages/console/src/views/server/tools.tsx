import { FaultsCard } from './faults-card.tsx'
import { ReceiverCard, ReceiversCard } from './receivers.tsx'
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
