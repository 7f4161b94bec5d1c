import { describe, it } from 'vitest'
import { DOORS } from './case.ts'
import { CASES } from './cases.ts'
import { openWorld } from './world.ts'

describe.each(DOORS)('the API %s', (door) => {
  for (const { rules, title, options, leftOut, run } of CASES) {
    if (leftOut?.[door] !== undefined) continue
    it(`${rules.map((rule) => `[${rule}]`).join(' ')} ${title}`, async () => {
      const world = await openWorld(door, options)
      try {
        await run(world)
      } finally {
        await world.close()
      }
    })
  }
})
