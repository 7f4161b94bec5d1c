import { describe, expect, it } from 'vitest'
import { TRANSPORTS } from './every-transport/case.ts'
import { CASES } from './every-transport/cases.ts'
import { undocumented } from './openapi.ts'
import { type Exchange, openWorld } from './world.ts'

const API = '/api/v1'

describe.each(TRANSPORTS)('the API %s', (transport) => {
  for (const { rules, title, options, leftOut, run } of CASES) {
    if (leftOut?.[transport] !== undefined) continue
    it(`${rules.map((rule) => `[${rule}]`).join(' ')} ${title}`, async () => {
      const problems: string[] = []
      const compareToOpenApi = ({ path, ...exchange }: Exchange) => {
        if (!path.startsWith(API)) return
        const problem = undocumented({ ...exchange, path: path.slice(API.length) })
        if (problem !== undefined) problems.push(problem)
      }
      // One transport is enough, and this one drops no header.
      const world = await openWorld(
        transport,
        options,
        transport === 'in process' ? compareToOpenApi : undefined,
      )
      try {
        await run(world)
      } finally {
        await world.close()
      }
      expect(problems).toEqual([])
    })
  }
})
