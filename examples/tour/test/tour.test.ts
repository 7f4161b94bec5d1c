import { describe, expect, it } from 'vitest'
import { runScenario, type Transport } from '../src/scenario.ts'

describe('the end-to-end scenario', () => {
  it.each<Transport>(['socket', 'in process'])(
    '[DLV-01] [DLV-06] [POLL-01] [FORM-07] [RESP-04] [FORM-12] passes from the public link to the closed form (%s)',
    async (transport) => {
      const steps: string[] = []
      const seen: string[] = []
      await runScenario(transport, { step: (title) => steps.push(title), note: (line) => seen.push(line) })
      expect(steps).toHaveLength(9)
      expect(seen.filter((line) => line.startsWith('✓'))).toHaveLength(15)
    },
  )
})
