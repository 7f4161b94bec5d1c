import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../src/checkpoint/replace-file.ts'

/** A rename that fails with each of the codes, then succeeds. */
function tools(platform: NodeJS.Platform, codes: string[]) {
  const waits: number[] = []
  let renames = 0
  return {
    platform,
    waits,
    renames: () => renames,
    sleep: async (ms: number) => void waits.push(ms),
    rename: async () => {
      renames += 1
      const code = codes.shift()
      if (code) throw Object.assign(new Error(code), { code })
    },
  }
}

describe('replaceFile()', () => {
  it('tries again on Windows while another program has the file open', async () => {
    const windows = tools('win32', ['EPERM', 'EBUSY', 'EACCES'])
    await replaceFile('new', 'old', windows)
    expect(windows.renames()).toBe(4)
    expect(windows.waits).toEqual([10, 20, 40])
  })

  it('gives up after two seconds', async () => {
    const windows = tools(
      'win32',
      Array.from({ length: 20 }, () => 'EPERM'),
    )
    await expect(replaceFile('new', 'old', windows)).rejects.toMatchObject({ code: 'EPERM' })
    expect(windows.renames()).toBe(9)
    expect(windows.waits.reduce((sum, ms) => sum + ms)).toBe(2_000)
  })

  it.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('fails on %s at the first %s', async (platform, code) => {
    const lasting = tools(platform, [code])
    await expect(replaceFile('new', 'old', lasting)).rejects.toMatchObject({ code })
    expect(lasting.renames()).toBe(1)
  })
})
