import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { matches } from '../src/pickers/picker.ts'
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

describe('the filter of a picker', () => {
  it('finds every word, whatever its case', () => {
    const label = 'Customer survey  survey000001  published'
    expect(
      ['', 'surv', 'CUSTOMER pub', 'published customer'].filter((text) => !matches(label, text)),
    ).toEqual([])
    expect(matches(label, 'customer draft')).toBe(false)
  })
})
