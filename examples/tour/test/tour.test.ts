import { describe, expect, it } from 'vitest'
import { type Door, liveThrough } from '../src/story.ts'

describe('the main story', () => {
  it.each<Door>(['socket', 'in process'])(
    '[DLV-01] [DLV-06] [POLL-01] [FORM-07] [RESP-04] [FORM-12] holds from the public link to the closed form (%s)',
    async (door) => {
      const steps: string[] = []
      const seen: string[] = []
      await liveThrough(door, { step: (title) => steps.push(title), saw: (line) => seen.push(line) })
      expect(steps).toHaveLength(9)
      expect(seen.filter((line) => line.startsWith('✓'))).toHaveLength(15)
    },
  )
})
