import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { createFile, makeFolder, type RenameTools, replaceFileSync, writeFile } from '../src/files.ts'

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

const replace = (given: RenameTools) => replaceFileSync('new', 'old', given)

describe('replacing a file', () => {
  it('tries again on Windows while another program has the file open', () => {
    const windows = tools('win32', ['EPERM', 'EBUSY', 'EACCES'])
    replace(windows)
    expect(windows.renames()).toBe(4)
    expect(windows.waits).toEqual([10, 20, 40])
  })

  it('gives up after two seconds', () => {
    const windows = tools(
      'win32',
      Array.from({ length: 20 }, () => 'EPERM'),
    )
    expect(() => replace(windows)).toThrow(expect.objectContaining({ code: 'EPERM' }))
    expect(windows.renames()).toBe(9)
    expect(windows.waits.reduce((sum, ms) => sum + ms)).toBe(2_000)
  })

  it.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const)('fails on %s at the first %s', (platform, code) => {
    const lasting = tools(platform, [code])
    expect(() => replace(lasting)).toThrow(expect.objectContaining({ code }))
    expect(lasting.renames()).toBe(1)
  })
})

async function* chunks(count: number): AsyncGenerator<string> {
  for (let number = 0; number < count; number += 1) yield 'x'.repeat(100_000)
}

async function* failing(): AsyncGenerator<string> {
  yield 'part'
  throw new Error('no more')
}

describe('writing a file', () => {
  it.each([
    ['a text', 'new', {}, 'new', 0o600],
    ['chunks', chunks(7), { fsync: true }, 'x'.repeat(700_000), 0o600],
    ['a mode that the umask would narrow', 'new', { exactMode: 0o666 }, 'new', 0o666],
  ] as const)('replaces it with %s', async (_name, content, options, expected, mode) => {
    const folder = temporaryDirectory()
    const path = join(folder, 'file')
    writeFileSync(path, 'old', { mode: 0o644 })
    await writeFile(path, content, options)
    expect([readFileSync(path, 'utf8') === expected, readdirSync(folder)]).toEqual([true, ['file']])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(mode)
  })

  it('leaves the old one and no part if the content fails', async () => {
    const folder = temporaryDirectory()
    const path = join(folder, 'file')
    writeFileSync(path, 'old')
    await expect(writeFile(path, failing())).rejects.toThrow('no more')
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['file']])
  })

  it('creates one only if there is none', async () => {
    const path = join(temporaryDirectory(), 'file')
    await createFile(path, 'new')
    await expect(createFile(path, 'newer')).rejects.toMatchObject({ code: 'EEXIST' })
    expect(readFileSync(path, 'utf8')).toBe('new')
  })
})

describe('makeFolder', () => {
  it('creates a folder with those above it, and leaves one that exists', async () => {
    const path = join(temporaryDirectory(), 'a/b')
    await makeFolder(path, 0o700)
    await makeFolder(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('names what is in the way', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(process.platform === 'linux')('rejects below /proc, where nothing can be created', async () => {
    await expect(makeFolder('/proc/x/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
