import { describe, expect, it } from 'vitest'
import { isSupported } from '../../src/engine/boss.ts'

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
})
