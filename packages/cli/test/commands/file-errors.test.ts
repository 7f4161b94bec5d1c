import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { fileProblem } from '../../src/failure.ts'
import { JsonLines } from '../../src/files/json-lines.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.server.close())
beforeEach(() => {
  folder = temporaryDirectory()
  mkdirSync(join(folder, 'directory'))
  writeFileSync(join(folder, 'file'), 'text')
})

/** Runs a command line in which `@` stands for the folder. */
const cli = async (argv: readonly string[], stdin = '') => {
  const result = await runCli(
    argv.map((word) => word.replace('@', folder)),
    { env: { ...service.env, FORMWIRE_WEBHOOK_SECRET: 'whsec_test' }, stdin },
  )
  return { ...result, stderr: result.stderr.replaceAll(folder, '@') }
}

describe('a file that cannot be read or written', () => {
  it('is reported once when the disk is full, not by the cleanup again', async () => {
    const facts = { code: 'ENOSPC', errno: -28, syscall: 'write' }
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), facts)
    const flush = vi.spyOn(JsonLines.prototype, 'flush').mockRejectedValue(full)
    onTestFinished(() => flush.mockRestore())
    const { code, stderr } = await cli(['responses', 'export', SURVEY, '-o', '@/all.ndjson'])
    expect([code, stderr]).toEqual([1, 'formwire: cannot use @/all.ndjson: no space left on device\n'])
  })

  it('is described in the words of the system when there are none of ours', () => {
    const denied = Object.assign(new Error("EACCES: permission denied, open '/root/x'"), {
      code: 'EACCES',
      errno: -13,
    })
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      errno: -28,
    })
    expect([denied, full, new Error('other')].map(fileProblem)).toEqual([
      'permission denied',
      'no space left on device',
      undefined,
    ])
  })
})

describe('--from-file', () => {
  it.each([
    ['1\n2\nabc\n', 'line 3 of @/ids must begin with a response id, got "abc"'],
    ['id,submitted_at\n1,x\n2x,y\n', 'line 3 of @/ids must begin with a response id, got "2x"'],
    [`${'9'.repeat(80)}\n`, `line 1 of @/ids must begin with a response id, got "${'9'.repeat(60)}"`],
  ])('%j names the line of a wrong id', async (text, message) => {
    writeFileSync(join(folder, 'ids'), text)
    expect(await cli(['responses', 'delete', SURVEY, '--yes', '--from-file', '@/ids'])).toEqual(
      outcome(2, '', `formwire: ${message}\n  one id per line; what follows a tab or a comma is ignored\n`),
    )
    expect(service.server.app.requests.list().filter(({ path }) => path.includes('/responses/'))).toEqual([])
  })
  it('names stdin', async () => {
    const { stderr } = await cli(['responses', 'delete', SURVEY, '--yes', '--from-file', '-'], 'x\n')
    expect(stderr).toContain('line 1 of stdin must begin with a response id, got "x"')
  })
})
