import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { fileProblem } from '../../src/failure.ts'
import { JsonLines } from '../../src/files/json-lines.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

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
  it.each([
    ['responses delete SURVEY --dry-run --from-file @/none', 'cannot read @/none: no such file or directory'],
    [
      'responses delete SURVEY --dry-run --from-file @/directory',
      'cannot read @/directory: it is a directory',
    ],
    ['responses submit SURVEY --data @/directory', 'cannot read @/directory: it is a directory'],
    [
      'responses export SURVEY -o @/none/all.csv',
      'cannot write @/none/all.csv: its directory does not exist',
    ],
    [
      'responses export SURVEY -o @/file/all.csv',
      'cannot write @/file/all.csv: a part of the path is not a directory',
    ],
    ['responses export SURVEY -o @/directory', '--output must be a file, got "@/directory"'],
    ['trigger test.ping --forward-to 9 --data @/directory', 'cannot read @/directory: it is a directory'],
    ['replay @/none --forward-to 9', 'cannot read @/none: no such file or directory'],
    ['types SURVEY --check @/directory', 'cannot read @/directory: it is a directory'],
    [
      'listen --form PARTY --secret-file @/directory',
      'cannot write the secret to @/directory: it is a directory',
    ],
    [
      'listen --form PARTY --record @/file/records',
      'cannot write to @/file/records: a part of the path is not a directory',
    ],
    [
      'responses tail SURVEY --checkpoint @/file/x',
      'cannot read the checkpoint @/file/x: a part of the path is not a directory',
    ],
    ['responses tail SURVEY --checkpoint @/file', '@/file is not a checkpoint'],
  ])('%s', async (line, message) => {
    const argv = line.split(' ').map((word) => ({ SURVEY, PARTY })[word] ?? word)
    const { code, stdout, stderr } = await cli(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`formwire: ${message}\n`)
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/)
    expect(readdirSync(folder).toSorted()).toEqual(['directory', 'file'])
  })

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
    expect(await cli(['responses', 'delete', SURVEY, '--yes', '--from-file', '@/ids'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: ${message}\n  one id per line; what follows a tab or a comma is ignored\n`,
    })
    expect(service.server.app.requests.list().filter(({ path }) => path.includes('/responses/'))).toEqual([])
  })
  it('names stdin', async () => {
    const { stderr } = await cli(['responses', 'delete', SURVEY, '--yes', '--from-file', '-'], 'x\n')
    expect(stderr).toContain('line 1 of stdin must begin with a response id, got "x"')
  })
})

describe('an argument too many', () => {
  it.each([
    [
      'forms list closed',
      'unexpected argument "closed"\n  formwire forms list has no arguments. Run "formwire forms list --help" for its options.',
    ],
    [
      'forms ls closed',
      'unexpected argument "closed"\n  formwire forms list has no arguments. Run "formwire forms list --help" for its options.',
    ],
    [
      'forms rename f1 New title',
      'unexpected argument "title"\n  Usage: formwire forms rename <form> <title>. Put quotation marks around a value with spaces.',
    ],
    [
      'whoami -- me',
      'unexpected argument "me"\n  formwire whoami has no arguments. Run "formwire whoami --help" for its options.',
    ],
    [
      'forms list --limit',
      `option '-L, --limit <n>' requires a value\n  Run "formwire forms list --help" for usage.`,
    ],
  ])('%s', async (line, message) => {
    expect(await cli(line.split(' '))).toEqual({ code: 2, stdout: '', stderr: `formwire: ${message}\n` })
  })
})
