import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { COMPLETION_SCRIPTS } from '../src/completion/scripts.ts'
import { runCli } from './support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from './support/service.ts'
import { temporaryDirectory } from './support/temporary.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.server.close())

const complete = async (...words: string[]) => {
  const { stdout } = await runCli(['__complete', '--', ...words], { env: service.env })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])
}

describe('completion', () => {
  it('offers commands, verbs and options', async () => {
    expect(await complete('')).toEqual([
      'whoami',
      'login',
      'logout',
      'types',
      'listen',
      'replay',
      'trigger',
      'serve',
      'conformance',
      'completion',
      'forms',
      'responses',
      'webhooks',
      'deliveries',
      'receiver',
    ])
    expect(await complete('forms', 're')).toEqual(['reopen', 'rename'])
    expect(await complete('--json', 'forms', 'list', '--l')).toEqual(['--limit'])
    expect(await complete('--pro')).toEqual(['--profile'])
  })
  it('offers form ids from the API, and the values of options', async () => {
    expect(await complete('forms', 'get', '')).toEqual([SURVEY, PARTY])
    expect(await complete('listen', '--form', 'sur')).toEqual([SURVEY])
    expect(await complete('forms', 'list', '--status', 'c')).toEqual(['closed'])
    expect(await complete('responses', 'export', SURVEY, '--format', '')).toEqual(['csv', 'ndjson', 'json'])
    expect(await complete('types', SURVEY, '')).toEqual([SURVEY, PARTY])
    expect(await complete('types', SURVEY, '--format', '')).toEqual(['ts', 'zod', 'json-schema'])
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await complete('forms', 'get', SURVEY, '')).toEqual([''])
  })
  it('prints nothing when the API is not available', async () => {
    expect(await runCli(['__complete', '--', 'forms', 'get', ''], { env: {} })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })
  describe.each(Object.entries(COMPLETION_SCRIPTS))('for %s', (shell, script) => {
    it('is what the command prints', async () => {
      expect((await runCli(['completion', shell])).stdout).toBe(script)
    })
    it.skipIf(!hasProgram(shell))('passes the syntax check of the shell', () => {
      // A file: fish 3.6 exits with 127 when it checks standard input.
      const file = join(temporaryDirectory(), `completion.${shell}`)
      writeFileSync(file, script)
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    })
  })
  it('completes words in bash', () => {
    const script = `formwire() { printf 'forms\\tlist forms\\nlisten\\treceive\\n'; }
${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(formwire f); COMP_CWORD=1; _formwire; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toBe('forms\nlisten\n')
  })
})
