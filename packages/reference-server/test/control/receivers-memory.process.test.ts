import { expect, it, onTestFinished } from 'vitest'
import { liveHeap } from '../../../../test/support/heap.ts'
import { ManualClock } from '../../src/clock/index.ts'
import { Receivers } from '../../src/control/receivers.ts'
import { START } from '../delivery/world.ts'

it('a receiver keeps no delivery ids of deliveries that it has dropped', async () => {
  const receivers = new Receivers(new ManualClock(START), { deliveries: 10 })
  onTestFinished(() => receivers.close())
  const { url } = await receivers.create({})
  const post = (delivery: string) =>
    fetch(url, { method: 'POST', headers: { 'x-service-delivery': delivery } })
  await post('dlv_first')
  const before = liveHeap()
  for (let sent = 0; sent < 300; sent += 1) await post(`${sent}-${'x'.repeat(15_000)}`)
  // With an entry for each id the heap grows by 4.5 MB.
  expect(liveHeap() - before).toBeLessThan(1_500_000)
})
