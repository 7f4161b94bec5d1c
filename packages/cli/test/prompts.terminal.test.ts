import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { fill, PARTY, type Service, SURVEY, testService } from './support/service.ts'
import { LOOK_MS, Terminal } from './support/terminal.ts'
import { until } from './support/wait.ts'

const bin = `${process.execPath} ${inject('programs').cli}`
let service: Service
let terminal: Terminal
let env: Record<string, string>

beforeEach(async () => {
  service = await testService()
  env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
  terminal = new Terminal()
})
afterEach(async () => {
  await terminal.close()
})

describe('a picker on a real terminal', () => {
  it('lets the user choose a form, and the command goes on with it', async () => {
    await terminal.start(`${bin} forms get`, env, 80, 24)
    expect(await terminal.sees(/Esc cancel/)).toContain(`❯ ${SURVEY}  Customer survey  published`)
    await terminal.press('Down')
    await terminal.sees(/^❯ party0000001 /m)
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
    expect(await terminal.sees(/❯ 2 /)).not.toMatch(/Fast|kind/)
    await terminal.press('Space', 'Down')
    await terminal.sees(/^ {2}2 .* ✔\n❯ 1 /m)
    await terminal.press('Space')
    await terminal.sees(/^❯ 1 .* ✔$/m)
    await terminal.press('Enter')
    await terminal.sees(/Delete 2 responses \(2, 1\)/)
    await terminal.type('y')
    expect(await terminal.sees(/code=0/)).toContain(`✓ deleted 2 responses of form ${SURVEY}`)
  })

  it('asks what rows contain before it lists many, and shows the newest responses with their email addresses', async () => {
    for (let number = 0; number < 120; number += 1)
      service.server.app.responses.create(PARTY, { email: `bo${number}@example.com` })
    await terminal.start(`${bin} responses delete ${PARTY}`, env, 80, 24)
    await terminal.sees(/^Which recent responses of form .*\n.*\nEnter search · Esc cancel$/m)
    await terminal.press('nosuch')
    await terminal.sees(/^nosuch/m)
    await terminal.press('Enter')
    await terminal.sees(/nothing matches: Backspace shortens the filter$/)
    await terminal.press('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace')
    await terminal.press('BO11')
    await terminal.sees(/^BO11/m)
    await terminal.press('Enter')
    const screen = await terminal.sees(/Enter confirm · Esc cancel/)
    expect(screen).toMatch(
      /^❯ 123 {2}2026-11-21 12:00:00Z {2}just now {2}submitted {2}bo119@example\.com\n {2}122 /m,
    )
    await terminal.press('Space')
    await terminal.sees(/^❯ 123 .* ✔$/m)
    await terminal.press('Enter')
    await terminal.sees(/Delete response 123 /)
    await terminal.type('n')
    await terminal.sees(/code=0/)
  })

  it('lets the user choose the endpoint of deliveries pause with the admin token alone', async () => {
    service.server.app.webhooks.resume(SURVEY, 1)
    await terminal.start(`env -u FORMWIRE_API_KEY ${bin} deliveries pause`, env, 80, 24)
    await terminal.sees(/^❯ survey000001 {2}Customer survey$/m)
    await terminal.press('Enter')
    await terminal.sees(/^❯ 1 {2}http:\/\/127\.0\.0\.1:9\/hook {2}never used$/m)
    await terminal.press('Enter')
    expect(await terminal.sees(/code=/)).toContain(`Which webhook endpoint of form ${SURVEY}? 1`)
  })

  it('says that there is nothing to choose from: exit 2', async () => {
    await terminal.start(`${bin} deliveries list ${PARTY}`, env, 80, 24)
    expect(await terminal.sees(/code=2/)).toContain(
      `✗ there are no webhook endpoints of form ${PARTY} to choose from\n`,
    )
  })

  it('lets the user choose the delivery of deliveries replay', async () => {
    const { app } = service.server
    app.webhooks.resume(SURVEY, 1)
    const { id } = app.webhooks.test(SURVEY, 1)
    await terminal.start(`${bin} deliveries replay`, env, 100, 24)
    await terminal.sees(new RegExp(`^❯ ${id} {2}just now {2}\\w+ {2}response 0 {2}`, 'm'))
    await terminal.press('Enter')
    await terminal.sees(/code=0/)
    expect(await terminal.screen(true)).toContain(`Which delivery? ${id}`)
  })

  it('chooses a profile, and shows which one is current', async () => {
    const folder = join(temporaryDirectory(), 'formwire')
    mkdirSync(folder)
    const profile = { base_url: service.url, api_key: env.FORMWIRE_API_KEY }
    const file = { current: 'two', profiles: { one: profile, two: profile } }
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
    env.XDG_CONFIG_HOME = dirname(folder)
    await terminal.start(`${bin} profiles use`, env, 80, 24)
    await terminal.sees(/❯ one .*\n {2}two .* current/)
    await terminal.press('Enter')
    expect(await terminal.sees(/code=0/)).toContain('✓ the current profile is "one"')
  })
})

describe('the hidden prompt on a real terminal', () => {
  it.each(['from outside', 'by Ctrl-Z'])(
    'shows nothing that is typed after a stop %s and fg',
    async (how) => {
      const pidFile = join(temporaryDirectory(), 'pid')
      await terminal.start('bash --norc -i', env, 90, 14)
      await terminal.type(`sh -c 'echo $$ > ${pidFile}; exec ${bin} login'`)
      await terminal.sees(/^API key for .* \(hidden\):/m)
      if (how === 'by Ctrl-Z') await terminal.press('C-z')
      else process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTSTP')
      await terminal.sees(/Stopped/)
      await terminal.type('clear; fg')
      await terminal.sees(/^API key for .* \(hidden\):/m)
      await terminal.type('svc_typed')
      expect(await terminal.sees(/could not log in/)).not.toContain('svc_typed')
    },
  )
})

describe('an export on a real terminal', () => {
  it('counts a rate limit down in front of the progress, on one line that leaves nothing behind', async () => {
    // The manual clock keeps the limit in place.
    service = await testService({ limits: { requestsPerMinute: 2 } })
    fill(service, 250)
    const file = join(temporaryDirectory(), 'all.ndjson')
    const command = `${bin} responses export ${SURVEY} --output ${file}`
    await terminal.start(command, { ...env, ...service.env }, 60, 8)
    const limited = /^rate limited; retrying in \d+ s · 100 of 252 responses \(3\d?%?…$/
    const first = await terminal.sees(limited)
    const isNext = async (): Promise<boolean> => {
      const next = await terminal.screen()
      return next !== first && limited.test(next)
    }
    await until('the next second', isNext, LOOK_MS)
    await terminal.press('C-c')
    // So small a form is written once all its pages are read.
    expect((await terminal.sees(/^code=\d+$/m)).split('\n')).toEqual([
      '– interrupted: nothing was saved',
      'code=130',
    ])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })
})
