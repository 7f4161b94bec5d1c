import { describe, expect, it } from 'vitest'
import { fileProblem } from '../../src/failure.ts'
import { makePrivate } from '../../src/files/part-file.ts'

const ANOTHER_UID = (process.getuid?.() ?? 0) + 1

/** An own file on a file system with modes, without them, or with an error for every change. */
function file(mode: number, { hasModes = true, error = '', uid = process.getuid?.() ?? 0 } = {}) {
  let current = mode
  return {
    stat: async () => ({ uid, mode: 0o100000 | current }) as never,
    chmod: async (changed: number | string) => {
      if (error !== '') throw Object.assign(new Error(error), { code: error })
      if (hasModes) current = Number(changed)
    },
    mode: () => current,
  }
}

describe.skipIf(process.platform === 'win32')('makePrivate()', () => {
  it.each([
    ['a private file', file(0o600), true, 0o600],
    ['a file that others can read', file(0o644), true, 0o600],
    ['a file that others can change', file(0o666), false, 0o666],
    ['a file of another user', file(0o600, { uid: ANOTHER_UID }), false, 0o600],
    ['an own file where all modes are 0777', file(0o777, { hasModes: false }), true, 0o777],
    ['an own file where modes cannot be changed', file(0o777, { error: 'EPERM' }), true, 0o777],
    [
      'a file of another user without modes',
      file(0o777, { hasModes: false, uid: ANOTHER_UID }),
      false,
      0o777,
    ],
  ])('decides on %s', async (_name, handle, isPrivate, mode) => {
    expect([await makePrivate(handle), handle.mode()]).toEqual([isPrivate, mode])
    expect(await makePrivate(handle)).toBe(isPrivate)
  })

  it('throws other errors of the file system', async () => {
    await expect(makePrivate(file(0o644, { error: 'EIO' }))).rejects.toMatchObject({ code: 'EIO' })
  })
})

it('describes an error in the words of the system when there are none of ours', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/root/x'"), {
    code: 'EACCES',
    errno: -13,
  })
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 })
  expect([denied, full, new Error('other')].map(fileProblem)).toEqual([
    'permission denied',
    'no space left on device',
    undefined,
  ])
})
