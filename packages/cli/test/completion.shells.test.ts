import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { COMPLETION_SCRIPTS } from '../src/completion/scripts.ts'
import { runCli } from './support/run-cli.ts'
import { oneService, PARTY, SURVEY } from './support/service.ts'
import { Terminal } from './support/terminal.ts'

const service = oneService()

const complete = async (...words: string[]) => {
  const { stdout } = await runCli(['__complete', '--', ...words], { env: service.env })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])
}

describe('completion', () => {
  it('offers commands, verbs and options', async () => {
    const commands =
      'whoami login logout doctor types sync listen replay trigger rehearse serve mcp conformance completion forms responses webhooks deliveries receiver inbox seed profiles help'
    expect((await complete('')).join(' ')).toBe(commands)
    expect(await complete('forms', 're')).toEqual(['reopen', 'rename'])
    expect(await complete('--json', 'forms', 'list', '--l')).toEqual(['--limit'])
    expect(await complete('--pro')).toEqual(['--profile'])
  })
  it.each([
    ['forms get ', `${SURVEY} ${PARTY}`],
    [`types ${SURVEY} `, `${SURVEY} ${PARTY}`],
    [`forms get ${SURVEY} `, ''],
    ['listen --form sur', SURVEY],
    ['listen --form=sur', `--form=${SURVEY}`],
    ['forms list --status c', 'closed'],
    ['forms list --status=c', '--status=closed'],
    ['forms list --format ', 'table tsv csv json ndjson'],
    [`responses export ${SURVEY} --format=n`, '--format=ndjson'],
    ['listen --view=', '--view=live --view=lines --view=quiet'],
    ['sync --deleted ', 'mark erase'],
    ['forms list --unknown=', ''],
    ['completion ', 'bash zsh fish powershell'],
    ['trigger ', 'response.submitted test.ping'],
    ['trigger t', 'test.ping'],
    ['help fo', 'forms'],
    ['help forms cl', 'close'],
    ['help forms close ', ''],
  ])(
    'offers form ids from the API, values of options and arguments, and commands: %j',
    async (line, words) => {
      expect((await complete(...line.split(' '))).join(' ')).toBe(words)
    },
  )
  it('prints nothing when the API is not available', async () => {
    expect(await runCli(['__complete', '--', 'forms', 'get', ''], { env: {} })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })
  it.each(Object.entries(COMPLETION_SCRIPTS))('for %s is what the command prints', async (shell, script) => {
    expect((await runCli(['completion', shell])).stdout).toBe(script)
  })
  it.each(['bash', 'zsh', 'fish'] as const)('for %s passes the syntax check of the shell', (shell) => {
    // A file: fish 3.6 exits with 127 when it checks standard input.
    const file = join(temporaryDirectory(), `completion.${shell}`)
    writeFileSync(file, COMPLETION_SCRIPTS[shell])
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})

/** A program that prints its words for \`__complete\`, as far as they fit what is typed, and records what it was asked. */
const FAKE = `#!/bin/bash
shift 2
printf '%s|' "$@" >> "$ASKED"; echo >> "$ASKED"
for word in --format=csv --format=json id survey000001; do
  case $word in "\${@: -1}"*) printf '%s\tdescribed\n' "$word" ;; esac
done
`

describe('words with =', () => {
  let folder: string
  let env: Record<string, string>
  beforeAll(() => {
    folder = temporaryDirectory()
    writeFileSync(join(folder, 'formwire'), FAKE, { mode: 0o755 })
    for (const [shell, script] of Object.entries(COMPLETION_SCRIPTS))
      writeFileSync(join(folder, `completion.${shell}`), script)
    writeFileSync(join(folder, 'an event.json'), '')
    mkdirSync(join(folder, 'functions'))
    copyFileSync(join(folder, 'completion.zsh'), join(folder, 'functions/_formwire'))
    env = { PATH: `${folder}:${process.env.PATH}`, ASKED: join(folder, 'asked'), HOME: folder }
  })

  it.each([
    ['formwire list --format=c', ['formwire', 'list', '--format', '=', 'c'], 'list|--format=c|', 'csv'],
    ['formwire list --format=', ['formwire', 'list', '--format', '='], 'list|--format=|', 'csv json'],
    ['formwire list --format=', ['formwire', 'list', '--format', '=', ''], 'list|--format=|', 'csv json'],
    ['formwire list --format  =c', ['formwire', 'list', '--format', '=', 'c'], 'list|--format|=c|', ''],
    [
      'formwire listen http://x s',
      ['formwire', 'listen', 'http', ':', '//x', 's'],
      'listen|http://x|s|',
      'survey000001',
    ],
  ])('bash completes %j', (line, words, asked, found) => {
    const script = `source "$HOME/completion.bash"
COMP_LINE=$1; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _formwire; echo "\${COMPREPLY[*]}"`
    writeFileSync(env.ASKED as string, '')
    const { stdout } = spawnSync('bash', ['-c', script, 'bash', line, ...words], {
      encoding: 'utf8',
      env: env as NodeJS.ProcessEnv,
    })
    expect([stdout, readFileSync(env.ASKED as string, 'utf8')]).toEqual([`${found}\n`, `${asked}\n`])
  })
  it.each([
    ['formwire list --format=c', 'list|--format=c|', '--format=csv\tdescribed\n'],
    ['formwire listen --form s', 'listen|--form|s|', 'survey000001\tdescribed\n'],
    ['formwire forms list ""  i', 'forms|list||i|', 'id\tdescribed\n'],
    ['formwire replay an\\ e', 'replay|an\\ e|', 'an event.json\n'],
    ["formwire replay 'an e", "replay|'an e|", 'an event.json\n'],
    ['formwire replay --data=~/an', 'replay|--data=~/an|', '--data=~/an event.json\n'],
  ])('fish completes %j', (line, asked, found) => {
    writeFileSync(env.ASKED as string, '')
    const { stdout } = spawnSync('fish', ['-c', 'source ~/completion.fish; complete -C $argv[1]', line], {
      encoding: 'utf8',
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
    })
    expect([stdout, readFileSync(env.ASKED as string, 'utf8')]).toEqual([found, `${asked}\n`])
  })
  it('zsh says what the script requires, where compinit has not run', () => {
    const { status, stderr } = spawnSync('zsh', ['-f', '-c', 'source ~/completion.zsh'], {
      encoding: 'utf8',
      env: env as NodeJS.ProcessEnv,
    })
    expect([status, stderr]).toEqual([
      0,
      'formwire: completion requires compinit: run "autoload -Uz compinit; compinit" before it in ~/.zshrc\n',
    ])
  })
  it('zsh completes the file of an option after =', async () => {
    const terminal = new Terminal()
    try {
      await terminal.start('zsh -f', env, 100, 10)
      await terminal.type(`cd; PS1='ready> '; autoload -Uz compinit; compinit -u -D; source ~/completion.zsh`)
      await terminal.sees(/^ready> *$/m)
      await terminal.press('formwire replay --data=an', 'Tab')
      expect(await terminal.sees(/\.json/)).toContain('formwire replay --data=an\\ event.json')
    } finally {
      await terminal.close()
    }
  })
  it.each([
    ['bash', `bash --norc --noprofile`, `PS1='ready> '; source ~/completion.bash`],
    ['zsh', 'zsh -f', `PS1='ready> '; autoload -Uz compinit; compinit -u -D; source ~/completion.zsh`],
    ['zsh', 'zsh -f', `PS1='ready> '; fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D`],
  ])('%s inserts them at the cursor', async (_shell, program, setup) => {
    const terminal = new Terminal()
    writeFileSync(env.ASKED as string, '')
    try {
      await terminal.start(program, env, 100, 10)
      await terminal.type(setup)
      await terminal.sees(/^ready> *$/m)
      await terminal.press('formwire list --format=c', 'Tab')
      await terminal.sees(/ready> formwire list --format=csv/)
      await terminal.press(' --form s', 'Tab')
      await terminal.press('3000')
      expect(await terminal.sees(/3000$/m)).toMatch(/ --format=csv +--form survey000001 3000$/m)
      // A shell may ask twice for the same words.
      expect([...new Set(readFileSync(env.ASKED as string, 'utf8').split('\n'))]).toEqual([
        'list|--format=c|',
        'list|--format=csv|--form|s|',
        '',
      ])
    } finally {
      await terminal.close()
    }
  })
})
