import { expect, it, vi } from 'vitest'
import { createFleet } from '../../src/fleet/index.ts'

const engine = { ended: 0, begun: () => undefined as unknown, isBroken: false }
const check = async (what: string): Promise<void> => {
  if (engine.isBroken) throw new Error(what)
}
vi.mock('../../src/engine/boss.ts', () => ({
  startEngine: async () => {
    await engine.begun()
    return {
      createQueue: () => check('no queue'),
      insert: async () => undefined,
      fetch: async () => [],
      stop: async () => {
        engine.ended += 1
        await check('not stopped')
      },
    }
  },
}))

const newFleet = (signal?: AbortSignal) =>
  createFleet({
    connectionString: 'postgres://127.0.0.1:1/none',
    workspaces: [{ name: 'main', baseUrl: 'http://127.0.0.1:9', apiKeys: ['svc_key'] }],
    signal,
  })

it('stops a worker whose signal aborts while it starts', async () => {
  const controller = new AbortController()
  engine.begun = () => controller.abort()
  const fleet = newFleet(controller.signal)
  await fleet.start()
  expect(engine.ended).toBe(1)
})

it('starts again after it could not reach the database', async () => {
  let isDown = true
  engine.begun = () => {
    if (isDown) throw new Error('down')
  }
  const fleet = newFleet()
  await expect(fleet.start()).rejects.toThrow('down')
  isDown = false
  await fleet.start()
  await fleet.stop()
})

it('names why its queues could not be created, also if the engine cannot be stopped then', async () => {
  Object.assign(engine, { isBroken: true, begun: () => undefined })
  const fleet = newFleet()
  await expect(fleet.start()).rejects.toThrow('Cannot use the PostgreSQL database: no queue.')
})
