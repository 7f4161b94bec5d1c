import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMockReceiver } from '@formwire/reference-server'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { PARTY, type Service, SURVEY, testService } from '../support/service.ts'
import { Terminal } from '../support/terminal.ts'
import { until } from '../support/wait.ts'

const bin = `${process.execPath} ${inject('programs').cli}`
let service: Service
let terminal: Terminal
let receiver: Awaited<ReturnType<ReturnType<typeof createMockReceiver>['listen']>>
let webhook: number
let env: Record<string, string>

beforeEach(async () => {
  service = await testService()
  receiver = await createMockReceiver().listen()
  webhook = (await service.server.app.webhooks.create(SURVEY, { url: receiver.url })).id
  env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
  terminal = new Terminal()
})
afterEach(async () => {
  await terminal.close()
  await receiver.close()
})

const sendTest = async () => {
  const { id } = service.server.app.webhooks.test(SURVEY, webhook)
  await service.server.clock.advance(0)
  return id
}

describe('deliveries tail on a real terminal', () => {
  it.each(['live', 'lines'])('ends, in the view %s, when its terminal is gone', async (view) => {
    const file = join(temporaryDirectory(), 'code')
    const tail = `${bin} deliveries tail --view ${view}`
    // The shell survives the terminal, too, to write the exit code.
    await terminal.start(`sh -c 'trap : HUP; ${tail}; echo $? > ${file}'`, env, 110, 16)
    await terminal.sees(/connected|waiting for deliveries/)
    await terminal.close()
    await until('the command to end', () => existsSync(file) && readFileSync(file, 'utf8') !== '')
    // Node itself aborts when it cannot restore the mode of its terminal.
    expect(readFileSync(file, 'utf8')).not.toBe('0\n')
  })

  it('shows deliveries; r replays, o opens details, f filters, q quits with one line', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 120, 16)
    await terminal.sees(/deliveries on http:.*\n{1}connected · /)
    receiver.respond('500')
    const failed = await sendTest()
    const delivered = await sendTest()
    const screen = await terminal.sees(new RegExp(`› .*delivered .*${delivered}`))
    expect(screen).toMatch(
      new RegExp(
        `^  12:00:00Z  ${SURVEY}  pending    500 +[\\d.]+ m?s   in 1 min +${webhook} +test  1×    ${failed}$`,
        'm',
      ),
    )
    expect(screen).toMatch(/^connected · 2 deliveries · 1 pending · /m)
    expect(screen).toContain('q quit · ? keys · ↑↓ select · o details · r replay · f filter')

    await terminal.press('Up', 'o')
    const details = await terminal.sees(/Attempt 1 +2026-11-21T12:00:00\.000Z · HTTP 500/)
    expect(details).toMatch(new RegExp(`^Id +${failed}$`, 'm'))
    await terminal.press('Escape')
    await terminal.sees(new RegExp(`› .*pending .*${failed}`))

    const before = receiver.deliveries.length
    await terminal.press('r')
    await terminal.sees(/queued a copy as dlv_\w+/)
    await terminal.sees(/^ ↻12:00:00Z /m)
    await until('the copy to arrive', () => receiver.deliveries.length === before + 1)

    await terminal.press('f')
    await terminal.press('pending', 'Enter')
    const filtered = await terminal.sees(/filter: pending/)
    expect(filtered).not.toContain(delivered)
    await terminal.press('q')
    // The copy may not have been reported as delivered yet.
    expect(await terminal.sees(/^code=0$/m)).toMatch(/^3 deliveries · [12] pending\ncode=0$/)
  })

  it('[AUTH-02] hides the secrets of the command beside the rows', async () => {
    const secret = { FORMWIRE_WEBHOOK_SECRET: SURVEY }
    await terminal.start(`${bin} deliveries tail ${SURVEY}`, { ...env, ...secret }, 110, 12)
    expect(await terminal.sees(/^connected · /m)).toMatch(/^deliveries of form \[redacted\] on http/)
  })

  it('[HOOK-07] shows the health of the endpoints, as it changes', async () => {
    await terminal.start(`${bin} deliveries tail ${SURVEY}`, env, 110, 12)
    await terminal.sees(/· endpoint 1 paused · endpoint 2 never used$/m)
    receiver.respond('500')
    await sendTest()
    await terminal.sees(/1 pending · endpoint 2 failing since 12:00:00Z · endpoint 1 paused$/m)
    await sendTest()
    const healthy = /1 pending · endpoint 1 paused · endpoint 2 healthy$/m
    expect(await terminal.sees(healthy)).toMatch(/^deliveries of form survey000001 on http/)
  })

  it('reports a lost connection, and exits with 130 on Ctrl-C', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 90, 10)
    await terminal.sees(/connected/)
    await service.server.close()
    await terminal.sees(
      /^connection lost \((?:connection refused|the connection was closed before a response arrived|the server closed the stream)\), reconnecting in/m,
    )
    await terminal.press('C-c')
    expect(await terminal.sees(/^code=\d+$/m)).toContain('code=130')
    expect(await terminal.modes()).toEqual({ alternate: false, cursor: true })
  })

  it('scrolls and copies details, and ? shows the keys', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 120, 16)
    await terminal.sees(/connected/)
    await terminal.allowCopies()
    const id = await sendTest()
    await terminal.sees(new RegExp(`› .*delivered .*${id}`))
    await terminal.press('?')
    expect(await terminal.sees(/copy the body to the clipboard/)).toContain('esc back · q quit')
    await terminal.press('Escape')
    await terminal.sees(/› /)
    await terminal.press('Enter')
    expect(await terminal.sees(/lines 1–10 of \d+/)).toMatch(new RegExp(`^Id +${id}$`, 'm'))
    await terminal.press('End')
    await terminal.sees(/^ {4}"meta": \{\n {6}"device": null,[\s\S]*^ {2}\}\n\}$/m)
    expect(await terminal.styled()).toContain('\u001b[36m"device":')
    await terminal.press('Home')
    await terminal.sees(/lines 1–10 of \d+/)
    await terminal.press('NPage')
    expect(await terminal.sees(/lines 10–19 of|lines [2-9]–\d+ of/)).not.toContain(id)
    await terminal.press('Home', 'Down')
    await terminal.sees(/lines 2–11 of/)
    await terminal.press('?')
    await terminal.sees(/copy the body to the clipboard/)
    await terminal.press('Escape')
    await terminal.sees(/lines 2–11 of/)
    await terminal.press('c')
    await terminal.sees(/copied, if your terminal allows it/)
    expect(JSON.parse(await terminal.clipboard())).toMatchObject({ event: 'test.ping', form: { id: SURVEY } })
    await terminal.press('Escape')
    await terminal.sees(/› /)
  })

  it('is resumed by fg also if it was stopped from outside', async () => {
    const pidFile = join(temporaryDirectory(), 'pid')
    await terminal.start('bash --norc -i', env, 90, 14)
    await terminal.type(`sh -c 'echo $$ > ${pidFile}; exec ${bin} deliveries tail'`)
    await terminal.sees(/connected · /)
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTSTP')
    await terminal.sees(/Stopped/)
    await terminal.type('clear; fg')
    await terminal.sees(/^deliveries on http[\s\S]*q quit/)
    await terminal.press('?')
    await terminal.sees(/copy the body to the clipboard/)
    await terminal.press('q')
    await terminal.sees(/^0 deliveries$/m)
    expect(await terminal.modes()).toEqual({ alternate: false, cursor: true })
  })

  it('--view lines and --view quiet need no terminal features', async () => {
    await terminal.start(`${bin} deliveries tail --view lines`, env, 140, 10)
    await terminal.sees(/waiting for deliveries \(Ctrl-C to stop\)/)
    const id = await sendTest()
    expect(await terminal.sees(new RegExp(id))).not.toContain('q quit')
  })

  it('prints plain lines with TERM=dumb', async () => {
    await terminal.start(`${bin} deliveries tail`, { ...env, TERM: 'dumb' }, 140, 10)
    await terminal.sees(/waiting for deliveries \(Ctrl-C to stop\)/)
    const id = await sendTest()
    expect(await terminal.sees(new RegExp(id))).not.toContain('q quit')
  })
})

describe('listen on a real terminal', () => {
  it('[AUTH-02] hides the secrets of the command beside the rows', async () => {
    const secret = { FORMWIRE_WEBHOOK_SECRET: 'hunter42' }
    const target = `http://127.0.0.1:${await freePort()}/hunter42`
    await terminal.start(
      `${bin} listen --form ${PARTY} --forward-to ${target}`,
      { ...env, ...secret },
      120,
      12,
    )
    expect(await terminal.sees(/^0 deliveries/m)).toMatch(/ · forwarding to http:\S+\/\[redacted\]/)
  })

  it('with --quiet, shows no keys, keeps the secret, and leaves nothing behind', async () => {
    await terminal.start(`${bin} listen --quiet --form ${PARTY}`, env, 80, 12)
    const screen = await terminal.sees(/waiting for deliveries\n {2}webhook secret: whsec_/)
    expect(screen).not.toMatch(/q quit|created temporary endpoint/)
    await terminal.press('q')
    await terminal.sees(/^code=0$/m)
    expect((await terminal.screen(true)).trim()).toBe('code=0')
  })

  it.each([
    [80, 24],
    [50, 12],
    [120, 40],
  ])(
    'shows each delivery and its details at %i × %i, and replays it to the handler',
    async (columns, rows) => {
      let handled = 0
      const handler = await serve((_request, response) => {
        handled += 1
        response.writeHead(handled === 1 ? 404 : 200).end('no route for /hook')
      })
      const target = `${handler}/hook`
      await terminal.start(`${bin} listen --form ${PARTY} --forward-to ${target}`, env, columns, rows)
      // The secret is never cut.
      const opened = await terminal.sees(
        /listening on http:\/\/127\.0\.0\.1:\d+ · for[\s\S]* whsec_\w{40,}[\s\S]*q quit/,
      )
      expect(opened.split('\n').every((line) => line.length <= columns)).toBe(true)
      expect(opened).toContain(columns < 80 ? ' · form party' : ` · form ${PARTY} · forwarding to `)
      const [endpoint] = service.server.app.webhooks.list(PARTY)
      service.server.app.webhooks.test(PARTY, endpoint?.id ?? 0)
      // Without the next attempt if the log takes longer than listen waits for it.
      const [row = ''] = /^› .*/m.exec(await terminal.sees(/1 delivery · 1 failed[\s\S]*^› /m)) ?? []
      expect(row).toMatch(/^› \d\d:\d\d:\d\dZ {2}(?:party0000001 {2})?404 {2,}/)
      expect(row).toMatch(columns < 120 ? / test$/ : / {2}no such/)
      // Without space for it in the row, the note is below the list.
      await terminal.sees(columns < 120 ? /^no such.*\nq quit/m : / {2}no such/)
      await terminal.press('o')
      await terminal.sees(/^Delivery +dlv_/m)
      if (rows === 12) await terminal.press('NPage')
      await terminal.sees(/^Verified +yes$[\s\S]*^Handler +404 after \d+ ms$/m)
      if (rows === 12) await terminal.press('Down', 'Down')
      await terminal.sees(/^Response body +no route for \/hook$/m)
      await terminal.press('End')
      await terminal.sees(/"utm": \{\}/)
      await terminal.press('Home')
      await terminal.sees(/^Received/m)
      await terminal.press('Escape')
      // Escape and a key that follows at once would be one key with Alt.
      await terminal.sees(/^› /m)
      await terminal.press('r')
      await terminal.sees(/the handler responded with 200 after/)
      // The copy has a row, and is no delivery of the service.
      await terminal.sees(/1 delivery · 1 failed[\s\S]*^ ↻\d\d:\d\d:\d\dZ {2}(?:party0000001 {2})?200 {2,}/m)
      await terminal.press('q')
      await terminal.sees(/^code=0$/m)
      expect((await terminal.screen(true)).trim().replace(/\n {2}/, ' ')).toBe(
        `1 delivery · 1 failed\n✓ deleted temporary endpoint ${endpoint?.id} on form ${PARTY}\ncode=0`,
      )
      expect(service.server.app.webhooks.list(PARTY)).toEqual([])
    },
  )
})

describe('an export on a real terminal', () => {
  it('counts a rate limit down in front of the progress, on one line that leaves nothing behind', async () => {
    // The manual clock keeps the limit in place.
    service = await testService({ limits: { requestsPerMinute: 2 } })
    for (let number = 0; number < 250; number += 1)
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'N' }] })
    const file = join(temporaryDirectory(), 'all.ndjson')
    const command = `${bin} responses export ${SURVEY} --output ${file}`
    await terminal.start(command, { ...env, ...service.env }, 60, 8)
    const limited = /^rate limited; retrying in \d+ s · 100 of 252 responses \(3\d?%?…$/
    const first = await terminal.sees(limited)
    await until('the next second', async () => {
      const next = await terminal.screen()
      return next !== first && limited.test(next)
    })
    await terminal.press('C-c')
    // So small a form is written once all its pages are read.
    expect((await terminal.sees(/^code=\d+$/m)).split('\n')).toEqual([
      '– interrupted: nothing was saved',
      'code=130',
    ])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })
})

describe('prompts on a real terminal', () => {
  it('prompts with the title before deleting, and cancels on no', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY} 1`, env, 200, 10)
    await terminal.sees(/Delete response 1 of "Customer survey" .* \[y\/N\]/)
    await terminal.press('n', 'Enter')
    expect(await terminal.sees(/nothing was deleted[\s\S]*code=0/)).not.toContain('responses delete')
    expect(service.server.app.responses.list(SURVEY).total).toBe(2)
  })
  it('login prompts for the key and does not echo it', async () => {
    const { FORMWIRE_API_KEY: key = '', ...rest } = env
    await terminal.start(`${bin} login`, rest, 120, 10)
    await terminal.sees(/API key for http:\/\/\S+ \(hidden\):/)
    await terminal.press(key, 'Enter')
    const screen = await terminal.sees(/logged in as Ada Byron[\s\S]*code=0/)
    expect(screen).not.toContain('svc_ww')
  })
})
