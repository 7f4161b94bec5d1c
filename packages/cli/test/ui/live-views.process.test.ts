import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMockReceiver } from '@formwire/reference-server'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { hasProgram } from '../../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'
import { Terminal } from '../support/terminal.ts'
import { until } from '../support/wait.ts'

const hasTerminal = hasProgram('tmux')
const bin = `${process.execPath} ${inject('programs').cli}`
let service: Service
let terminal: Terminal
let receiver: Awaited<ReturnType<ReturnType<typeof createMockReceiver>['listen']>>
let handler: Server
let webhook: number
let env: Record<string, string>

beforeEach(async () => {
  service = await startService()
  receiver = await createMockReceiver().listen()
  webhook = (await service.server.app.webhooks.create(SURVEY, { url: receiver.url })).id
  env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
  terminal = new Terminal()
})
afterEach(async () => {
  await terminal.close()
  await receiver.close()
  handler?.close()
  await service.server.close()
})

const sendTest = async () => {
  const { id } = service.server.app.webhooks.test(SURVEY, webhook)
  await service.server.clock.advance(0)
  return id
}

describe.runIf(hasTerminal)('deliveries tail on a real terminal', () => {
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

  it('shows deliveries; r replays, o opens details, f filters, q quits', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 110, 16)
    await terminal.sees(/deliveries · connected/)
    receiver.respond('500')
    const failed = await sendTest()
    const delivered = await sendTest()
    const screen = await terminal.sees(new RegExp(`› .*delivered .*${delivered}`))
    expect(screen).toMatch(
      new RegExp(
        `^  12:00:00Z  pending    500  1×  test\\.ping  response 0  ${failed}  next 12:01:00Z  http`,
        'm',
      ),
    )
    expect(screen).toContain('↑↓ select · r replay · o details · f filter · q quit · ? keys')

    await terminal.press('Up', 'o')
    const details = await terminal.sees(/Attempt 1 +2026-11-21T12:00:00\.000Z · HTTP 500/)
    expect(details).toContain(`Id             ${failed}`)
    await terminal.press('Escape')
    await terminal.sees(new RegExp(`› .*pending .*${failed}`))

    const before = receiver.deliveries.length
    await terminal.press('r')
    await terminal.sees(/queued a copy as dlv_\w+/)
    await until('the copy to arrive', () => receiver.deliveries.length === before + 1)

    await terminal.press('f')
    await terminal.press('pending', 'Enter')
    const filtered = await terminal.sees(/filter: pending/)
    expect(filtered).not.toContain(delivered)
    await terminal.press('q')
    await terminal.sees(/^code=0$/m)
  })

  it('finds the error of a delivery and the URL of its endpoint', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 130, 16)
    await terminal.sees(/deliveries · connected/)
    const delivered = await sendTest()
    const url = `http://127.0.0.1:${await freePort()}/`
    webhook = (await service.server.app.webhooks.create(SURVEY, { url })).id
    const refused = await sendTest()
    const row = `pending    refused  1×  test\\.ping  response 0  ${refused}`
    // A delivery is shown before its first attempt has ended.
    await terminal.sees(new RegExp(`${row}.* ${url}`))
    await terminal.press('f')
    await terminal.press('refused', 'Enter')
    expect(await terminal.sees(new RegExp(`${row}[^]*filter: refused`))).not.toContain(delivered)
  })

  it('is never taller than the screen, keeps the scrollback, and adapts to a resize', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 90, 10)
    await terminal.sees(/connected/)
    const ids: string[] = []
    for (let number = 0; number < 15; number += 1) ids.push(await sendTest())
    await terminal.sees(new RegExp(`› .*${ids.at(-1)}`))
    const everything = await terminal.screen(true)
    for (const id of ids) expect(everything.split('\n').filter((line) => line.includes(id))).toHaveLength(1)
    // The header and the keys are not left behind in the scrollback.
    expect(everything.match(/deliveries · /g)).toHaveLength(1)
    expect(everything.match(/q quit/g)).toHaveLength(1)
    await terminal.resize(60, 7)
    const small = await terminal.sees(/q quit/)
    expect(small.split('\n').length).toBeLessThanOrEqual(7)
    expect(small.split('\n').every((line) => line.length <= 60)).toBe(true)
    await sendTest()
    expect((await terminal.sees(/› .*delivered/)).split('\n').length).toBeLessThanOrEqual(7)
  })

  it('reports a lost connection, and exits with 130 on Ctrl-C', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 90, 10)
    await terminal.sees(/connected/)
    await service.server.close()
    await terminal.sees(
      /deliveries · connection lost \((?:connection refused|the connection was closed before a response arrived|the server closed the stream)\), reconnecting in/,
    )
    await terminal.press('C-c')
    expect(await terminal.sees(/^code=\d+$/m)).toContain('code=130')
  })

  it('scrolls and copies details, and ? shows the keys', async () => {
    await terminal.start(`${bin} deliveries tail`, env, 90, 14)
    await terminal.sees(/connected/)
    await terminal.allowCopies()
    const id = await sendTest()
    await terminal.sees(new RegExp(`› .*delivered .*${id}`))
    await terminal.press('?')
    expect(await terminal.sees(/copy the body to the clipboard/)).toContain('esc back · q quit')
    await terminal.press('Escape')
    await terminal.sees(/› /)
    await terminal.press('Enter')
    expect(await terminal.sees(/lines 1–10 of \d+/)).toContain(`Id             ${id}`)
    await terminal.press('End')
    await terminal.sees(/^ {4}"meta": \{\n {6}"device": null,[\s\S]*^ {2}\}\n\}$/m)
    await terminal.press('Home')
    await terminal.sees(/lines 1–10 of \d+/)
    await terminal.press('NPage')
    expect(await terminal.sees(/lines 10–19 of|lines [2-9]–\d+ of/)).not.toContain(`Id             ${id}`)
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

  it('Ctrl-Z suspends it, fg resumes it', async () => {
    await terminal.start('bash --norc -i', env, 90, 14)
    await terminal.type(`${bin} deliveries tail`)
    await terminal.sees(/deliveries · connected/)
    await terminal.press('C-z')
    expect(await terminal.sees(/Stopped/)).not.toContain('q quit')
    await terminal.type('fg')
    await terminal.sees(/q quit/)
    const id = await sendTest()
    await terminal.sees(new RegExp(`› .*delivered .*${id}`))
    await terminal.press('q')
    await until('the prompt', async () => !(await terminal.screen()).includes('q quit'))
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

describe.runIf(hasTerminal)('listen on a real terminal', () => {
  it('shows each delivery and its details, and replays it to the handler', async () => {
    let handled = 0
    handler = createServer((_request, response) => {
      handled += 1
      response.writeHead(handled === 1 ? 404 : 200).end()
    })
    await new Promise<void>((resolve) => handler.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(handler.address() as AddressInfo).port}/hook`
    await terminal.start(`${bin} listen --form ${PARTY} --forward-to ${target}`, env, 150, 24)
    await terminal.sees(/listening on http:\/\/127\.0\.0\.1:\d+ · forwarding to/)
    const [endpoint] = service.server.app.webhooks.list(PARTY)
    service.server.app.webhooks.test(PARTY, endpoint?.id ?? 0)
    // Without the attempt if the log takes longer than listen waits for it.
    await terminal.sees(
      /› .*verified {2}→ 404 {2}test\.ping {2}response 0 {2}no such route: check the path of --forward-to/,
    )
    await terminal.press('o')
    const details = await terminal.sees(/x-service-delivery: dlv_/)
    expect(details).toMatch(/^Verified {6}yes$/m)
    expect(details).toMatch(/^Handler {7}404 after \d+ ms$/m)
    await terminal.press('PageDown')
    await terminal.sees(/"event": "test\.ping"/)
    await terminal.press('Escape')
    // Escape and a key that follows at once would be one key with Alt.
    await until('the list', async () => !(await terminal.screen()).includes('"event": "test.ping"'))
    await terminal.press('r')
    await terminal.sees(/the handler responded with 200 after/)
    await terminal.press('q')
    await terminal.sees(/^code=0$/m)
    expect(service.server.app.webhooks.list(PARTY)).toEqual([])
  })

  it('shows requests that are refused in words and without colour codes, times in UTC', async () => {
    const secret = { FORMWIRE_WEBHOOK_SECRET: 'whsec_0123456789abcdef', TZ: 'Asia/Tokyo' }
    await terminal.start(`${bin} listen`, { ...env, ...secret, TERM: 'xterm-256color' }, 80, 12)
    const [, url = ''] = /listening on (\S+)/.exec(await terminal.sees(/listening on http:\S+/)) ?? []
    await fetch(url)
    await terminal.sees(/^ {2}refused GET \/: deliveries are sent with POST$/m)
    await fetch(url, { method: 'POST', headers: { 'X-Service-Event': 'test.ping' }, body: '{}' })
    const [row = ''] = /^› .*$/m.exec(await terminal.sees(/^› /m)) ?? []
    const [time = '', ...cells] = row.slice(2).split('  ')
    expect(cells.join('  ')).toMatch(
      /^refused {3}→ 400 {2}test\.ping {2}The header x-service-\w+ is miss(?:ing\.)?/,
    )
    const distanceMs = Math.abs(Date.parse(`${new Date().toISOString().slice(0, 11)}${time}`) - Date.now())
    // A run may pass midnight.
    expect(Math.min(distanceMs, 86_400_000 - distanceMs)).toBeLessThan(60_000)
    await terminal.press('q')
    await terminal.sees(/^code=0$/m)
  })
})

describe.runIf(hasTerminal)('an export on a real terminal', () => {
  it('counts a rate limit down in front of the progress, on one line that leaves nothing behind', async () => {
    await service.server.close()
    // Two pages; the manual clock keeps the limit in place.
    service = await startService({ limits: { requestsPerMinute: 2 } })
    for (let number = 0; number < 250; number += 1)
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'N' }] })
    const file = join(temporaryDirectory(), 'all.csv')
    const command = `${bin} responses export ${SURVEY} --order newest --output ${file}`
    await terminal.start(command, { ...env, ...service.env }, 60, 8)
    const limited = /^rate limited; retrying in \d+ s · 200 of 252 responses \(7…$/
    const first = await terminal.sees(limited)
    await until('the next second', async () => {
      const next = await terminal.screen()
      return next !== first && limited.test(next)
    })
    await terminal.press('C-c')
    // The line is wrapped, perhaps at a space.
    const kept = (await terminal.sees(/^code=\d+$/m)).split('\ncode=')
    const withoutSpaces = (text = '') => text.replace(/\s/g, '')
    expect([withoutSpaces(kept[0]), kept[1]]).toEqual([
      withoutSpaces(`◦ 200 responses are kept in ${file}.part; continue with --resume`),
      '130',
    ])
  })
})

describe.runIf(hasTerminal)('prompts on a real terminal', () => {
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
