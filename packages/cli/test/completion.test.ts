import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { COMPLETION_SCRIPTS } from '../src/completion/scripts.ts'
import { runCli } from './support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from './support/service.ts'

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
      'doctor',
      'open',
      'types',
      'sync',
      'listen',
      'replay',
      'trigger',
      'serve',
      'conformance',
      'completion',
      'version',
      'forms',
      'responses',
      'webhooks',
      'deliveries',
      'receiver',
      'profiles',
      'help',
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
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(await complete('forms', 'get', SURVEY, '')).toEqual([''])
    expect(await complete('forms', 'list', '--format', '')).toEqual(['table', 'tsv', 'csv', 'json', 'ndjson'])
    expect(await complete('responses', 'export', SURVEY, '--order', 'n')).toEqual(['newest'])
  })
  it('offers ids of responses and endpoints, also after an alias and a second one', async () => {
    expect(await complete('responses', 'get', SURVEY, '')).toEqual(['2', '1'])
    expect(await complete('responses', 'rm', SURVEY, '--yes', '2', '')).toEqual(['2', '1'])
    expect(await complete('webhooks', 'delete', SURVEY, '')).toEqual(['1'])
    expect(await complete('deliveries', 'list', SURVEY, '')).toEqual(['1'])
  })
  it('offers the commands after help', async () => {
    expect(await complete('help', 'fo')).toEqual(['forms'])
    expect(await complete('help', 'forms', 'cl')).toEqual(['close'])
    expect(await complete('help', 'forms', 'close', '')).toEqual([''])
  })
  it('offers profiles, without a request', async () => {
    const homeDir = temporaryDirectory()
    await runCli(['login', '--with-key', '--base-url', service.url, '--profile', 'staging'], {
      homeDir,
      stdin: service.env.FORMWIRE_API_KEY ?? '',
    })
    for (const words of [
      ['--profile', ''],
      ['whoami', '--profile', 's'],
      ['profiles', 'use', ''],
    ]) {
      const { stdout } = await runCli(['__complete', '--', ...words], { homeDir })
      expect(stdout).toBe(`staging\t${service.url}\n`)
    }
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
    // PowerShell has no switch that only checks the syntax.
    it.skipIf(shell === 'powershell' || !hasProgram(shell))('passes the syntax check of the shell', () => {
      // A file: fish 3.6 exits with 127 when it checks standard input.
      const file = join(temporaryDirectory(), `completion.${shell}`)
      writeFileSync(file, script)
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    })
  })
  // Runs nowhere: PowerShell is not among the programs of the tests.
  describe('the script for PowerShell', () => {
    const script = COMPLETION_SCRIPTS.powershell
    /** The script without comments and with every string empty. */
    const code = script
      .replace(/^\s*#.*$/gm, '')
      .replace(/'[^']*'|"(?:`.|[^"`])*"/g, (text) => text[0] + text.slice(-1))

    it('has balanced brackets and quotation marks', () => {
      const open: string[] = []
      const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
      for (const character of code) {
        if ('([{'.includes(character)) open.push(character)
        else if (character in closing) expect(open.pop()).toBe(closing[character])
      }
      expect(open).toEqual([])
      expect(code.replace(/''|""/g, '')).not.toMatch(/['"]/)
    })
    it('takes the words before the cursor by their value, then the word at the cursor', () => {
      expect(script).toContain('Register-ArgumentCompleter -Native -CommandName formwire -ScriptBlock {')
      expect(script).toContain('param($wordToComplete, $commandAst, $cursorPosition)')
      expect(script).toContain('Select-Object -Skip 1')
      // A word that ends at the cursor is the one to complete.
      expect(script).toContain('$_.Extent.EndOffset -lt $cursorPosition')
      expect(script).toContain("formwire __complete '--' @words $last 2>$null")
    })
    it('passes the -- in quotation marks: a bare one does not reach a script such as formwire.ps1', () => {
      expect(code).not.toMatch(/(?<!\S)--(?!\S)/)
    })
    it('gives a completion no empty text or tool tip, which would be an error', () => {
      expect(script).toContain('if (-not $description) { $description = $word }')
      expect(script).toContain("CompletionResult]::new($word, $word, 'ParameterValue', $description)")
    })
    it('uses only variables that exist', () => {
      const automatic = ['_', 'PSVersionTable', 'null', 'PROFILE']
      const assigned = [...code.matchAll(/\$(\w+)(?:, \$(\w+))? = /g)].flatMap(([, ...names]) => names)
      const parameters = [...(/param\(([^)]*)\)/.exec(code)?.[1] ?? '').matchAll(/\$(\w+)/g)].map(
        ([, name]) => name,
      )
      for (const [, name] of code.matchAll(/[$@](\w+)/g))
        expect([...automatic, ...assigned, ...parameters]).toContain(name)
    })
  })
  it('completes words in bash', () => {
    const script = `formwire() { printf 'forms\\tlist forms\\nlisten\\treceive\\n'; }
${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(formwire f); COMP_CWORD=1; _formwire; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toBe('forms\nlisten\n')
  })
})
