import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { COMPLETION_SCRIPTS } from '../src/completion/scripts.ts'
import { runCli } from './support/run-cli.ts'
import { Terminal } from './support/terminal.ts'
import { until } from './support/wait.ts'

/** Ids that create a file where a shell runs them. */
const HOSTILE = ['z$(>x)', 'z`>x`', 'z;>x', "z';>x;'", 'z{a,b}*~!!']

/** The only form of the service. */
let id = ''
const service = createServer((_request, response) => {
  const data = [{ id, title: 'Form' }]
  const meta = { page: 1, per_page: 100, total: 1 }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, meta }))
})
let env: Record<string, string>
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  env = {
    FORMWIRE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    FORMWIRE_API_KEY: 'svc_test',
  }
})
afterAll(() => void service.close())

/** Creates a home with the completion scripts and a program that completes as the CLI does, and only notes its arguments otherwise. */
function home(): string {
  const folder = temporaryDirectory()
  const complete = `exec '${process.execPath}' '${inject('programs').cli}' "$@"`
  const program = `#!/bin/bash\nif [ "$1" = __complete ]; then ${complete}; fi\nprintf '%s\\n' "$*" >>"$HOME/ran"\n`
  writeFileSync(join(folder, 'formwire'), program, { mode: 0o755 })
  for (const [shell, script] of Object.entries(COMPLETION_SCRIPTS))
    writeFileSync(join(folder, `completion.${shell}`), script)
  return folder
}

const SHELLS = {
  bash: ['bash --norc --noprofile', `PS1='ready> '; set +H; source ~/completion.bash`],
  zsh: ['zsh -f', `PS1='ready> '; autoload -Uz compinit; compinit -u -D; source ~/completion.zsh`],
  fish: ['fish --no-config', `function fish_prompt; echo 'ready> '; end; source ~/completion.fish`],
} as const

describe.each(Object.entries(SHELLS))('an id of the service in %s', (shell, [program, setup]) => {
  it('is no command when it is completed and Enter is pressed', { timeout: 120_000 }, async () => {
    const folder = home()
    const scratch = temporaryDirectory()
    const ran = join(folder, 'ran')
    const terminal = new Terminal()
    try {
      await terminal.start(
        program,
        // fish keeps files of its own there, otherwise in the folder for temporary files.
        { ...env, HOME: folder, XDG_RUNTIME_DIR: folder, PATH: `${folder}:${process.env.PATH}` },
        150,
        50,
      )
      await terminal.type(`${setup}; cd ${scratch}; clear`)
      await terminal.sees(/^ready> *$/m)
      for (const hostile of HOSTILE) {
        id = hostile
        const bare = 'forms get z'
        // zsh and fish quote what they insert; bash does not.
        const inserted = shell === 'bash' ? bare : `forms get ${id}`
        let tries = 0
        const complete = async (): Promise<void> => {
          tries += 1
          rmSync(ran, { force: true })
          await terminal.press(`formwire ${bare}`, 'Tab', 'Enter')
        }
        await complete()
        await until(`${inserted} to run`, async () => {
          const text = existsSync(ran) ? readFileSync(ran, 'utf8') : ''
          if (text === `${inserted}\n`) return true
          // On a busy machine the service may be too late for the completion, which then inserts nothing.
          if (text === `${bare}\n` && tries < 4) await complete()
          return false
        })
        expect(readdirSync(scratch)).toEqual([])
      }
    } finally {
      await terminal.close()
    }
  })
})

describe('an id of the service in PowerShell', () => {
  const [, pattern = ''] =
    /if \(\$word -notmatch '(.*)'\) \{ return \}/.exec(COMPLETION_SCRIPTS.powershell) ?? []

  it.each([...HOSTILE, 'z(touch x)', 'z"', 'z #', 'z x', '@x', ''])('is not offered as %j', (word) => {
    expect(new RegExp(pattern).test(word)).toBe(false)
  })
  it.each(['guestvoice01', '--form=survey000001', 'a@b.example/c:d+e', '--json'])(
    'is offered as %j',
    (word) => {
      expect(new RegExp(pattern).test(word)).toBe(true)
    },
  )
})

it('an id of the service is never an option', async () => {
  id = '--base-url=http://192.0.2.1'
  expect(await runCli(['__complete', '--', 'forms', 'get', ''], { env })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
})
