import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { makeFolder } from '../src/files.ts'

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
