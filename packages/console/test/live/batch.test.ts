import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Batch } from '../../src/live/batch.ts'

describe('a batch of changes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const collect = () => {
    const flushed: number[][] = []
    return { flushed, batch: new Batch<number>((items) => void flushed.push(items)) }
  }

  it('passes the first one on immediately, and later ones together every 100 ms', () => {
    const { flushed, batch } = collect()
    batch.add([1])
    vi.advanceTimersByTime(0)
    expect(flushed).toEqual([[1]])
    batch.add([2])
    vi.advanceTimersByTime(60)
    batch.add([3, 4])
    vi.advanceTimersByTime(39)
    expect(flushed).toEqual([[1]])
    vi.advanceTimersByTime(1)
    expect(flushed).toEqual([[1], [2, 3, 4]])
    vi.advanceTimersByTime(500)
    batch.add([5])
    vi.advanceTimersByTime(0)
    expect(flushed).toEqual([[1], [2, 3, 4], [5]])
  })

  it('passes on nothing that was dropped', () => {
    const { flushed, batch } = collect()
    batch.add([1])
    batch.drop()
    vi.advanceTimersByTime(500)
    batch.flushNow()
    expect(flushed).toEqual([])
  })
})
