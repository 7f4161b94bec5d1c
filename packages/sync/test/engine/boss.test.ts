import { describe, expect, it } from 'vitest'
import { isSupported, startEngine } from '../../src/engine/boss.ts'

describe('the engine of queues', () => {
  it.each([
    ['20.19.0', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['23.0.0', true],
    ['26.10.1', true],
  ])('knows whether Node %s runs it: %s', (version, expected) => {
    expect(isSupported(version)).toBe(expected)
  })

  it.skipIf(isSupported(process.versions.node))(
    'rejects an older Node with a typed error before it connects',
    async () => {
      const connectionString = 'postgres://127.0.0.1:1/none'
      await expect(startEngine({ connectionString, onError: () => undefined })).rejects.toMatchObject({
        name: 'StoreError',
        code: 'unsupported_node',
        message: `Queues on PostgreSQL require Node 22.12 or newer; this is Node ${process.versions.node}.`,
      })
    },
  )
})
