import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { PLAIN_PENS } from '../src/output/pens.ts'
import { pick } from '../src/pickers/picker.tsx'
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
    expect(screen).toMatch(new RegExp(`^✓ Which form\\? ${PARTY}\nId +${PARTY}\n`))
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
    expect(await terminal.sees(/❯ \[ ] 2 /)).not.toMatch(/Fast|kind/)
    await terminal.press('Space', 'Down')
    await terminal.sees(/❯ \[ ] 1 /)
    await terminal.press('Space')
    await terminal.sees(/^> +2 of 2 selected\n {2}\[✓] 2 .*\n❯ \[✓] 1 /m)
    await terminal.press('Enter')
    await terminal.sees(/Delete 2 responses \(2, 1\)/)
    await terminal.type('y')
    expect(await terminal.sees(/code=0/)).toContain(`✓ deleted 2 responses of form ${SURVEY}`)
  })

  it('says that nothing is selected, and stays open', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY}`, env, 80, 24)
    await terminal.sees(/Esc cancel/)
    await terminal.press('Enter')
    await terminal.sees(/❯ \[ ] 2 [\s\S]*◦ nothing is selected: Space selects a row, Esc cancels$/)
    await terminal.press('Escape')
    expect(await terminal.sees(/code=/)).toBe('code=130')
    expect(service.server.app.responses.list(SURVEY).total).toBe(2)
  })

  it('shows the newest responses with their email addresses, filters them, and says how to reach others', async () => {
    for (let number = 0; number < 120; number += 1)
      service.server.app.responses.create(PARTY, { email: `bo${number}@example.com` })
    await terminal.start(`${bin} responses delete ${PARTY}`, env, 80, 24)
    const screen = await terminal.sees(/Esc cancel/)
    expect(screen).toContain(
      'the newest 100 of 120 responses; for another one, pass its id\n>    0 of 100 selected\n',
    )
    expect(screen).toMatch(
      /^❯ \[ ] 123 {2}2026-11-21 12:00:00Z {2}just now {2}submitted {2}bo119@example\.com\n {2}\[ ] 122 /m,
    )
    expect(screen).toMatch(/^ {2}1–12 of 100\n.*Esc cancel$/m)
    await terminal.press('NPage')
    await terminal.sees(/^❯ \[ ] 111 /m)
    await terminal.send('bo38@')
    await terminal.sees(/^> bo38@ {3}0 of 100 selected\n❯ \[ ] 42 .*\n.*Esc cancel$/m)
    await terminal.press('Space', 'Enter')
    await terminal.sees(/Delete response 42 /)
    await terminal.type('n')
    await terminal.sees(/code=0/)
  })

  it('lets the user choose a form and then a response of it', async () => {
    await terminal.start(`${bin} responses get`, env, 80, 24)
    await terminal.sees(/^Which form\?/)
    await terminal.press('Enter')
    await terminal.sees(/^Which response of form/)
    await terminal.press('Down', 'Enter')
    const screen = await terminal.sees(/code=0/)
    expect(screen).toMatch(
      new RegExp(`^✓ Which form\\? ${SURVEY}\n✓ Which response of form ${SURVEY}\\? 1\nId +1\n`),
    )
  })

  it('lets the user choose the endpoint to delete', async () => {
    await terminal.start(`${bin} webhooks delete ${SURVEY}`, env, 80, 24)
    await terminal.sees(/^❯ 1 {2}http:\/\/127\.0\.0\.1:9\/hook {2}paused$/m)
    await terminal.press('Enter')
    await terminal.sees(/Delete webhook endpoint 1 /)
    await terminal.type('y')
    expect(await terminal.sees(/code=0/)).toContain(`✓ deleted webhook endpoint 1 of form ${SURVEY}`)
  })

  it.each(['list', 'pause', 'resume', 'test'])(
    'lets the user choose the endpoint of deliveries %s with the admin token alone',
    async (verb) => {
      if (verb === 'pause') service.server.app.webhooks.resume(SURVEY, 1)
      await terminal.start(`env -u FORMWIRE_API_KEY ${bin} deliveries ${verb}`, env, 80, 24)
      await terminal.sees(/^❯ Customer survey {2}survey000001 {2}1 endpoint$/m)
      await terminal.press('Enter')
      await terminal.sees(/^❯ 1 {2}http:\/\/127\.0\.0\.1:9\/hook {2}(?:paused|never used)$/m)
      await terminal.press('Enter')
      expect(await terminal.sees(/code=/)).toContain(`Which webhook endpoint of form ${SURVEY}? 1`)
    },
  )

  it('offers only active endpoints to pause, and paused ones to resume', async () => {
    await terminal.start(`${bin} deliveries pause ${SURVEY}`, env, 80, 24)
    expect(await terminal.sees(/code=2/)).toContain(
      `✗ form ${SURVEY} has no active webhook endpoints to choose from\n`,
    )
    await terminal.close()
    service.server.app.webhooks.resume(SURVEY, 1)
    await terminal.start(`${bin} deliveries resume`, env, 80, 24)
    expect(await terminal.sees(/code=2/)).toContain(
      '✗ no form of the server has a paused webhook endpoint to choose from\n',
    )
  })

  it.each(['show', 'replay'])('lets the user choose the delivery of deliveries %s', async (verb) => {
    const { app } = service.server
    app.webhooks.resume(SURVEY, 1)
    const { id } = app.webhooks.test(SURVEY, 1)
    await terminal.start(`${bin} deliveries ${verb}`, env, 100, 24)
    await terminal.sees(new RegExp(`^❯ ${id} {2}just now {2}\\w+ {2}response 0 {2}`, 'm'))
    await terminal.press('Enter')
    await terminal.sees(/code=0/)
    expect(await terminal.screen(true)).toContain(`Which delivery? ${id}`)
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
    await terminal.sees(/^> par/m)
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
    expect(history).toMatch(/^1\n2\n3\n[\s\S]*\n30\n✓ Which form\? /)
    expect(history.match(/Which form/g)).toHaveLength(1)
  })

  it('keeps the selected responses when it is resized', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY}`, env, 80, 24)
    await terminal.sees(/❯ \[ ] 2 /)
    await terminal.press('Space')
    await terminal.sees(/❯ \[✓] 2 /)
    await terminal.resize(60, 5)
    await terminal.sees(/^Which [^\n]*\n> +1 of 2 selected\n❯ \[✓] 2 [^\n]*\n[^\n]*$/)
    await terminal.resize(70, 12)
    await terminal.sees(/❯ \[✓] 2 .*\n {2}\[ ] 1 /)
    await terminal.press('Enter')
    await terminal.sees(/Delete response 2 /)
    await terminal.type('n')
    expect(await terminal.sees(/code=0/)).toContain('nothing was deleted')
  })

  const nowhere = [
    ['on a pipe', '| cat', {}],
    ['in CI', '', { CI: 'true' }],
    ['with TERM=dumb', '', { TERM: 'dumb' }],
    ['with --json', '--json', {}],
  ] as const
  const incomplete = [
    ['forms get', "missing required argument 'form'"],
    [`responses get ${SURVEY}`, "missing required argument 'id'"],
    [`responses delete ${SURVEY}`, 'missing response id'],
    ['deliveries show', "missing required argument 'id'"],
  ] as const
  it.each(
    nowhere.flatMap(([where, more, variables]) =>
      incomplete.map(([line, error]) => [where, line, error, more, variables] as const),
    ),
  )('does not open %s: %s', async (_where, line, error, more, variables) => {
    const command = `sh -c '${Object.entries(variables).map(([name, value]) => `${name}=${value} `)}${bin} ${line} ${more}'`
    await terminal.start(command, env, 80, 24)
    expect(await terminal.sees(/code=/)).toContain(error)
  })

  it.each([
    ['sync', 'missing required option --to'],
    ['sync --to sqlite:', '--to sqlite: requires a path'],
    ['responses export --resume', '--resume requires --output FILE'],
    ['seed pull --resume', '--resume requires --out FILE'],
    ['deliveries list', 'no admin token'],
  ])('does not open before the options of %s are checked', async (line, message) => {
    await terminal.start(`env -u FORMWIRE_ADMIN_TOKEN ${bin} ${line}`, env, 80, 24)
    expect(await terminal.sees(/code=[24]$|cancel/)).toContain(`✗ ${message}\n`)
  })

  it('chooses a profile, from the current one on', async () => {
    const folder = join(temporaryDirectory(), 'formwire')
    mkdirSync(folder)
    const profile = { base_url: service.url, api_key: env.FORMWIRE_API_KEY }
    const file = { current: 'two', profiles: { one: profile, two: profile } }
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
    env.XDG_CONFIG_HOME = dirname(folder)
    await terminal.start(`${bin} profiles use`, env, 80, 24)
    await terminal.sees(/❯ two .* current/)
    await terminal.press('Up', 'Enter')
    expect(await terminal.sees(/code=0/)).toContain('✓ the current profile is "one"')
  })
})

it('a picker does not open once the command is stopped', async () => {
  const write = vi.fn()
  const streams = { stdin: {}, stderr: { write } } as unknown as Record<'stdin', NodeJS.ReadStream> &
    Record<'stderr', NodeJS.WriteStream>
  const choices = [{ value: 'a', texts: ['a'] }]
  const options = { question: 'Which?', choices, pens: PLAIN_PENS, onExit: vi.fn() }
  expect(await pick({ ...options, ...streams, stop: AbortSignal.abort() })).toBeUndefined()
  expect(write).not.toHaveBeenCalled()
})
