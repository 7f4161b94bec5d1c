import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { oneService } from '../support/service.ts'

const bin = inject('programs').cli
const service = oneService({ limits: 'off' })

/** Runs a command after the code of a module that is loaded before it. */
function withHook(code: string, argv: string[], env = service.env) {
  const hook = join(temporaryDirectory(), 'hook.cjs')
  writeFileSync(hook, code)
  return start(['-r', hook, bin, ...argv], { ...env, HOME: temporaryDirectory() }, '').finished
}

describe('an error of the error reporting', () => {
  it('does not end with exit code 0 when stderr throws', async () => {
    const hook = `process.stderr.write = () => { throw new Error('stderr is gone') }`
    expect((await withHook(hook, ['forms', 'get', 'nothere00000'])).code).toBe(3)
    expect((await withHook(hook, ['forms', 'lst'])).code).toBe(2)
  })
  it.each([
    [[], 'formwire: unexpected error: too late\n'],
    [['--json'], '{"error":{"code":"failed","message":"unexpected error: too late","exit_code":1}}\n'],
  ])('is reported after the command has ended, with %j', async (more, stderr) => {
    const hook = `process.once('beforeExit', () => { throw new Error('too late') })`
    const finished = await withHook(hook, ['forms', 'list', ...more])
    expect([finished.code, finished.stderr]).toEqual([1, stderr])
  })
  it('[AUTH-02] redacts the secrets of the command', async () => {
    const hook = `process.once('beforeExit', () => { throw new Error('bad token: hush-9f8e7d6c') })`
    const { stderr } = await withHook(hook, ['forms', 'list'], {
      ...service.env,
      FORMWIRE_ADMIN_TOKEN: 'hush-9f8e7d6c',
    })
    expect(stderr).toBe('formwire: unexpected error: bad token: [redacted]\n')
  })
  it('keeps the exit code of a command that failed', async () => {
    const hook = `process.once('beforeExit', () => { throw new Error('too late') })`
    const { code, stderr } = await withHook(hook, ['forms', 'get', 'nothere00000'])
    expect([code, stderr.endsWith('formwire: unexpected error: too late\n')]).toEqual([3, true])
  })
})
