import { describe, expect, it } from 'vitest'
import { replaceFile } from '../src/replace-file.ts'

/** A rename that fails with each of the codes, then succeeds. */
function tools(platform: NodeJS.Platform, codes: string[]) {
  const waits: number[] = []
  let renames = 0
  return {
    platform,
    waits,
    renames: () => renames,
    sleep: (ms: number) => void waits.push(ms),
    rename: () => {
      renames += 1
      const code = codes.shift()
      if (code) throw Object.assign(new Error(code), { code })
    },
  }
}

describe('replaceFile()', () => {
  it('tries again on Windows while another program has the file open', () => {
    const windows = tools('win32', ['EPERM', 'EBUSY', 'EACCES'])
    replaceFile('new', 'old', windows)
    expect(windows.renames()).toBe(4)
    expect(windows.waits).toEqual([10, 20, 40])
  })

  it('gives up after two seconds', () => {
    const windows = tools(
      'win32',
      Array.from({ length: 20 }, () => 'EPERM'),
    )
    expect(() => replaceFile('new', 'old', windows)).toThrow(expect.objectContaining({ code: 'EPERM' }))
    expect(windows.renames()).toBe(9)
    expect(windows.waits.reduce((sum, ms) => sum + ms)).toBe(2_000)
  })

  it.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('fails on %s at the first %s', (platform, code) => {
    const lasting = tools(platform, [code])
    expect(() => replaceFile('new', 'old', lasting)).toThrow(expect.objectContaining({ code }))
    expect(lasting.renames()).toBe(1)
  })
})
