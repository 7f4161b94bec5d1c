import type { FaultInForce } from '@formwire/contract/control'
import { call } from '../../api.ts'
import { faults } from '../../state/catalog.ts'
import { act } from '../../ui/act.ts'
import { announce } from '../../ui/announcer.tsx'

/** Removes one fault, or all of them. The notice offers to inject them again, for the requests that they have left. */
export async function removeFaults(removed: readonly FaultInForce[]): Promise<void> {
  const [only] = removed
  const isOne = only !== undefined && removed.length === 1
  const isDone = await act(() => call('DELETE', isOne ? `faults/${only.id}` : 'faults').then(() => true))
  if (isDone)
    announce(isOne ? 'Fault removed' : 'All faults removed', 'done', {
      text: 'Undo',
      run: () => void injectAgain(removed),
    })
  await faults.refresh()
}

async function injectAgain(removed: readonly FaultInForce[]): Promise<void> {
  await act(async () => {
    for (const { id, met, times, ...fault } of removed)
      await call(
        'POST',
        'faults',
        times === undefined ? fault : { ...fault, times: Math.max(1, times - met) },
      )
  }, 'Injected again')
  await faults.refresh()
}
