import { describe, expect, it } from 'vitest'
import { type ReplaceSyncTools, replaceFile, replaceFileSync } from '../src/replace-file.ts'

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

/** The two functions behind one signature. */
const functions = [
  [
    'replaceFile()',
    (given: ReplaceSyncTools) =>
      replaceFile('new', 'old', {
        platform: given.platform,
        sleep: async (ms) => given.sleep(ms),
        rename: async (from, to) => given.rename(from, to),
      }),
  ],
  ['replaceFileSync()', async (given: ReplaceSyncTools) => replaceFileSync('new', 'old', given)],
] as const

describe.each(functions)('%s', (_name, replace) => {
  it('tries again on Windows while another program has the file open', async () => {
    const windows = tools('win32', ['EPERM', 'EBUSY', 'EACCES'])
    await replace(windows)
    expect(windows.renames()).toBe(4)
    expect(windows.waits).toEqual([10, 20, 40])
  })

  it('gives up after two seconds', async () => {
    const windows = tools(
      'win32',
      Array.from({ length: 20 }, () => 'EPERM'),
    )
    await expect(replace(windows)).rejects.toMatchObject({ code: 'EPERM' })
    expect(windows.renames()).toBe(9)
    expect(windows.waits.reduce((sum, ms) => sum + ms)).toBe(2_000)
  })

  it.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('fails on %s at the first %s', async (platform, code) => {
    const lasting = tools(platform, [code])
    await expect(replace(lasting)).rejects.toMatchObject({ code })
    expect(lasting.renames()).toBe(1)
  })
})
