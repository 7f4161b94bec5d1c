import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { matches, pick } from '../src/pickers/picker.ts'
import { PARTY, type Service, SURVEY, startService } from './support/service.ts'
import { Terminal } from './support/terminal.ts'

const bin = `${process.execPath} ${inject('programs').cli}`
let service: Service
let terminal: Terminal
let env: Record<string, string>

beforeEach(async () => {
  service = await startService()
  env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
  terminal = new Terminal()
})
afterEach(async () => {
  await terminal.close()
  await service.server.close()
})

describe.runIf(hasProgram('tmux'))('a picker on a real terminal', () => {
  it('filters forms as text is typed, and the command goes on with the chosen one', async () => {
    await terminal.start(`${bin} forms get`, env, 80, 24)
    expect(await terminal.sees(/Esc cancel/)).toContain('❯ ')
    await terminal.press('p', 'a', 'r')
    await terminal.sees(/^> par\s*\n❯ Party .*\n.*Esc cancel$/m)
    await terminal.press('Enter')
    const screen = await terminal.sees(/code=0/)
    expect(screen).toMatch(new RegExp(`^Which form\\? ${PARTY}\nId +${PARTY}\n`))
  })

  it('ends with 130 on Escape and on Ctrl-C, and leaves nothing on the screen', async () => {
    for (const key of ['Escape', 'C-c']) {
      await terminal.start(`${bin} responses list`, env, 60, 12)
      await terminal.sees(/Esc cancel/)
      await terminal.press(key)
      expect(await terminal.sees(/code=/)).toBe('code=130')
      await terminal.close()
    }
  })

  it('selects several responses to delete, which are confirmed like any others', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY}`, env, 80, 24)
    await terminal.sees(/❯ 2 /)
    await terminal.press('Space', 'Down')
    await terminal.sees(/❯ 1 /)
    await terminal.press('Space')
    await terminal.sees(/❯ 1 .*✔/)
    await terminal.press('Enter')
    await terminal.sees(/Delete 2 responses \(2, 1\)/)
    await terminal.type('y')
    expect(await terminal.sees(/code=0/)).toContain(`✓ deleted 2 responses of form ${SURVEY}`)
  })

  it.each(['\u001b[1;5P', '\u001b[31m', '\u001b[200~\u001b[1;5S\r\u001b[201~', '\u0001\u001a\u001bx'])(
    'ignores %j, which is no key of it',
    async (characters) => {
      await terminal.start(`${bin} forms get`, env, 80, 24)
      await terminal.sees(/Esc cancel/)
      await terminal.send(characters)
      await terminal.press('p', 'a', 'r')
      await terminal.sees(/^> +par\s*\n❯ Party /m)
      await terminal.press('Enter')
      expect(await terminal.sees(/code=/)).toContain('code=0')
    },
  )

  it('adapts to a resize, keeps what was typed, and leaves what was on the screen before', async () => {
    await terminal.start(`sh -c 'seq 1 30; ${bin} forms get'`, env, 80, 24)
    await terminal.sees(/Esc cancel/)
    await terminal.press('p', 'a', 'r')
    for (const [columns, rows] of [
      [40, 24],
      [80, 5],
      [90, 20],
    ] as const) {
      await terminal.resize(columns, rows)
      await terminal.sees(/^Which form\?\n> par\s*\n❯ Party .*\n.*(?:…|Esc cancel)$/)
    }
    await terminal.press('Enter')
    await terminal.sees(/code=0/)
    const history = await terminal.screen(true)
    expect(history).toMatch(/^1\n2\n3\n[\s\S]*\n30\nWhich form\? /)
    expect(history.match(/Which form/g)).toHaveLength(1)
  })

  it('keeps the selected responses when it is resized', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY}`, env, 80, 24)
    await terminal.sees(/❯ 2 /)
    await terminal.press('Space')
    await terminal.sees(/❯ 2 .*✔/)
    await terminal.resize(60, 5)
    await terminal.sees(/^Which [^\n]*\n❯ 2 [^\n]*✔\n[^\n]*$/)
    await terminal.resize(70, 12)
    await terminal.sees(/❯ 2 .*✔\s*\n {2}1 /)
    await terminal.press('Enter')
    await terminal.sees(/Delete response 2 /)
    await terminal.type('n')
    expect(await terminal.sees(/code=0/)).toContain('nothing was deleted')
  })

  it.each([
    ['on a pipe', '| cat', {}],
    ['in CI', '', { CI: 'true' }],
    ['with TERM=dumb', '', { TERM: 'dumb' }],
    ['with --json', '--json', {}],
  ])('does not open %s', async (_where, more, variables) => {
    const command = `sh -c '${Object.entries(variables).map(([name, value]) => `${name}=${value} `)}${bin} forms get ${more}'`
    await terminal.start(command, env, 80, 24)
    expect(await terminal.sees(/code=/)).toContain("missing required argument 'form'")
  })

  it('chooses a profile', async () => {
    const folder = join(temporaryDirectory(), 'formwire')
    mkdirSync(folder)
    const profile = { base_url: service.url, api_key: env.FORMWIRE_API_KEY }
    const file = { current: 'two', profiles: { one: profile, two: profile } }
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
    env.XDG_CONFIG_HOME = dirname(folder)
    await terminal.start(`${bin} profiles use`, env, 80, 24)
    await terminal.sees(/❯ one /)
    await terminal.press('Enter')
    expect(await terminal.sees(/code=0/)).toContain('✓ the current profile is "one"')
  })
})

it('a picker does not open once the command is stopped', async () => {
  const write = vi.fn()
  const streams = { stdin: {}, stderr: { write } } as unknown as Record<'stdin', NodeJS.ReadStream> &
    Record<'stderr', NodeJS.WriteStream>
  const choices = [{ value: 'a', texts: ['a'] }]
  const options = { question: 'Which?', choices, several: false, colourLevel: 0, onExit: vi.fn() } as const
  expect(await pick({ ...options, ...streams, stop: AbortSignal.abort() })).toBeUndefined()
  expect(write).not.toHaveBeenCalled()
})

describe('the filter of a picker', () => {
  it('finds every word, whatever its case', () => {
    const label = 'Customer survey  survey000001  published'
    expect(
      ['', 'surv', 'CUSTOMER pub', 'published customer'].filter((text) => !matches(label, text)),
    ).toEqual([])
    expect(matches(label, 'customer draft')).toBe(false)
  })
})
