import { describe, expect, it } from 'vitest'
import { DOORS } from './case.ts'
import { CASES } from './cases.ts'
import { undocumented } from './openapi.ts'
import { openWorld, type World } from './world.ts'

describe.each(DOORS)('the API %s', (door) => {
  for (const { rules, title, options, leftOut, run } of CASES) {
    if (leftOut?.[door] !== undefined) continue
    it(`${rules.map((rule) => `[${rule}]`).join(' ')} ${title}`, async () => {
      const world = await openWorld(door, options)
      const problems: string[] = []
      // One door is enough, and this one drops no header. Where a deployment shows statuses that the service document
      // does not have, there is nothing to hold it to.
      const judged = door === 'in process' && !showsOtherStatuses(options?.unspecified)
      try {
        await run(judged ? heldToOpenApi(world, problems) : world)
      } finally {
        await world.close()
      }
      expect(problems).toEqual([])
    })
  }
})

type Unspecified = NonNullable<Parameters<typeof openWorld>[1]>['unspecified']

const showsOtherStatuses = (unspecified: Unspecified): boolean =>
  typeof unspecified === 'object' &&
  (unspecified.unknownParameters === '422' || unspecified.statusOfUnpublished === '409')

/** The same world, noting every answer of the API that openapi.json does not describe. */
function heldToOpenApi(world: World, problems: string[]): World {
  const note = (method: string, path: string, told: Awaited<ReturnType<World['any']>>) => {
    const problem = undocumented({ method, path, ...told })
    if (problem !== undefined) problems.push(problem)
    return told
  }
  return {
    ...world,
    api: async (method, path, ask) => note(method, path, await world.api(method, path, ask)),
    any: async (method, path, ask) => {
      const told = await world.any(method, path, ask)
      return path.startsWith(API) ? note(method, path.slice(API.length), told) : told
    },
  }
}

const API = '/api/v1'
