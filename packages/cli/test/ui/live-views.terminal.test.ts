import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMockReceiver } from '@formwire/reference-server'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { afterAll, beforeAll, describe, inject, it, type TestContext } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { PARTY, type Service, startService } from '../support/service.ts'
import { LOOK_MS, Terminal } from '../support/terminal.ts'
import { until } from '../support/wait.ts'

const SECRET = 'whsec_0123456789abcdef'
/** What the terminal shows before a view opens: more lines than a screen has. */
const BEFORE = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`)
/** Lines, keys and sequences that would end or stop the command, or move the cursor, if they were typed. */
const HOSTILE = 'none\nq\u0003\u001a\u001b[31m\u001b[Hq\u0001\u0007\r\nq'

let service: Service
let receiver: Awaited<ReturnType<ReturnType<typeof createMockReceiver>['listen']>>

beforeAll(async () => {
  // An attempt must not end with a timeout on a busy machine.
  service = await startService({ deliveryTimeoutMs: 60_000, limits: { requestsPerMinute: 1_000_000 } })
  receiver = await createMockReceiver().listen()
})
afterAll(async () => {
  await receiver.close()
  await service.server.close()
})

/** A view, and what it follows alone. */
interface View {
  command: string
  env: Record<string, string>
  /** What its first line begins with. */
  header: string
  /** What it shows once rows can be added. */
  ready: RegExp
  nouns: readonly [one: string, many: string]
  /** The first line of the details of a row. */
  details: RegExp
  /** What is copied. */
  copied: object
  /** What `r` leads to, and how many rows it adds to the counts. */
  replayed?: readonly [message: RegExp, rows: number]
  /** Adds rows. */
  send(count: number): Promise<void>
}

const VIEWS = {
  async 'deliveries tail'(): Promise<View> {
    const { app, clock } = service.server
    const { id } = app.forms.create({ title: 'Followed' })
    const webhook = await app.webhooks.create(id, { url: receiver.url })
    return {
      command: `deliveries tail ${id}`,
      env: service.env,
      header: 'deliveries of form ',
      ready: /^connected · [\s\S]*q quit/m,
      nouns: ['delivery', 'deliveries'],
      details: /^Id +dlv_/m,
      copied: { event: 'test.ping', form: { id } },
      replayed: [/^queued a copy as dlv_\w+/m, 1],
      async send(count) {
        for (let number = 0; number < count; number += 1) app.webhooks.test(id, webhook.id)
        await clock.advance(0)
      },
    }
  },
  async listen(): Promise<View> {
    const port = await freePort()
    return {
      // A command that fits on a line of 50 columns is not wrapped.
      command: 'listen $OPTIONS',
      env: {
        FORMWIRE_WEBHOOK_SECRET: SECRET,
        OPTIONS: `--port ${port} --forward-to ${receiver.url}`,
      },
      header: 'listening on ',
      ready: /q quit/,
      nouns: ['delivery', 'deliveries'],
      details: /^Received +/m,
      copied: { event: 'response.submitted' },
      replayed: [/^the handler responded with 200 after \d+ ms/m, 0],
      async send(count) {
        for (let number = 0; number < count; number += 1) {
          const delivery = createDelivery({ secret: SECRET })
          await fetch(`http://127.0.0.1:${port}`, { method: 'POST', ...delivery })
        }
      },
    }
  },
  async 'responses tail'(): Promise<View> {
    const { app } = service.server
    const questions = [{ id: 'name', type: 'short_text', title: 'Name' }] as const
    const { id } = app.forms.create({ title: 'Followed', questions: [...questions] })
    app.forms.publish(id)
    return {
      command: `responses tail ${id}`,
      env: service.env,
      header: 'responses of form ',
      ready: /^0 responses$[\s\S]*q quit/m,
      nouns: ['response', 'responses'],
      details: /^Id +\d/m,
      copied: { form_id: id, answers: [{ question_id: 'name', text: 'Di' }] },
      async send(count) {
        for (let number = 0; number < count; number += 1)
          app.responses.create(id, { answers: [{ question_id: 'name', value: 'Di' }] })
      },
    }
  },
}

/** A view that the shell of a terminal has started. */
interface OpenView extends View {
  terminal: Terminal
  pid(): number
  /** Waits for a whole frame of this size with this number of rows, none of which is pending. */
  frame(columns: number, rows: number, count: number): Promise<void>
  /** Waits for the prompt, checks the terminal, and returns the scrollback and the screen below the lines before. */
  prompt(): Promise<string[]>
  /** Returns what {@link prompt} must be once the view has ended, with its last lines and the exit code. */
  transcript(lastLines: readonly string[], code: number): string[]
}

/**
 * Opens a view from an interactive shell, as people do, and adds rows. The shell prints the exit code and the modes of the terminal
 * below it.
 */
async function open(
  name: keyof typeof VIEWS,
  [columns, rows, count]: readonly [columns: number, rows: number, count: number],
  { onTestFinished, expect }: TestContext,
): Promise<OpenView> {
  const home = temporaryDirectory()
  const program = join(home, 'formwire')
  const run = `${process.execPath} ${inject('programs').cli} "$@"`
  writeFileSync(program, `#!/bin/sh\necho $$ > ${home}/pid\nexec ${run}\n`)
  chmodSync(program, 0o755)
  const startFile = join(home, 'rc')
  const modes = `stty -a | grep -owE -e '-?(echo|icanon)' | sort`
  writeFileSync(
    startFile,
    `PS1='$ '; bind 'set enable-bracketed-paste off'; PATH=${home}:$PATH; report() { echo code=$? $(${modes}); }; printf '${BEFORE.join('\\n')}\\n'\n`,
  )
  const view: View = await VIEWS[name]()
  const terminal = new Terminal()
  onTestFinished(() => terminal.close())
  const env = { ...view.env, HOME: home, TERM: 'screen' }
  await terminal.start(`bash --init-file ${startFile} -i`, env, columns, rows)
  await terminal.sees(/^line 60\n\$$/m)
  await terminal.allowCopies()
  await terminal.type(`formwire ${view.command}; report`)
  await terminal.sees(view.ready)
  const opened: OpenView = {
    ...view,
    terminal,
    pid: () => Number(readFileSync(join(home, 'pid'), 'utf8')),
    async frame(width, height, number) {
      const facts = `(?!.*pending).*\\b${number} ${view.nouns[number === 1 ? 0 : 1]}.*`
      const whole = `^${view.header}.*\\n${facts}\\n(?:.*\\n){${height - 4}}q quit.*$`
      const lines = (await terminal.sees(new RegExp(whole))).split('\n')
      expect(lines.filter((line) => line.startsWith(view.header))).toHaveLength(1)
      expect(lines.filter((line) => line.includes('q quit'))).toHaveLength(1)
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width)
      await expect.poll(() => terminal.modes()).toEqual({ alternate: true, cursor: false })
    },
    async prompt() {
      await terminal.sees(/^code=\d+ [\s\S]*\n\$$/m)
      expect(await terminal.modes()).toEqual({ alternate: false, cursor: true })
      const lines = (await terminal.screen(true)).split('\n')
      expect(lines.slice(0, BEFORE.length)).toEqual(BEFORE)
      // Without the marks of a paste.
      await terminal.type('cat')
      await terminal.paste('pasted')
      await terminal.sees(/^pasted$/m)
      await terminal.press('C-c')
      return lines.slice(BEFORE.length)
    },
    transcript: (lastLines, code) => [
      `$ formwire ${view.command}; report`,
      ...lastLines,
      `code=${code} echo icanon`,
      '$',
    ],
  }
  await view.send(count)
  await opened.frame(columns, rows, count)
  return opened
}

describe.concurrent('a live view in a shell', () => {
  it.for([
    ['deliveries tail', 80, 24],
    ['listen', 50, 12],
    ['responses tail', 80, 24],
  ] as const)(
    '%s fills %i × %i and what it is resized to, loses no key, and gives the terminal back',
    async ([name, columns, rows], context) => {
      const { expect } = context
      const { terminal, ...view } = await open(name, [columns, rows, rows], context)
      const [noun, nouns] = view.nouns
      for (const [width, height] of [
        [columns - 20, rows - 2],
        [columns + 40, rows + 12],
        [columns, rows],
      ] as const) {
        await terminal.resize(width, height)
        await view.frame(width, height, rows)
      }

      // A pasted text presses no keys.
      await terminal.paste(HOSTILE)
      await terminal.press('?')
      await terminal.sees(new RegExp(` select a ${noun}[\\s\\S]*^esc back · q quit`, 'm'))
      await terminal.press('?')
      await view.frame(columns, rows, rows)
      await terminal.press('f')
      await terminal.sees(/^filter: ▏$/m)
      await terminal.paste(HOSTILE)
      const words = ['never', 'seen', 'in', 'any', 'text']
      for (const [at, word] of words.entries()) {
        await terminal.send(word)
        await terminal.resize(columns - (at % 2), rows)
      }
      const filtered = `no ${noun} has this text\\s+^filter: none qq {2}q${words.join('')}▏\\s+enter apply`
      expect(await terminal.sees(new RegExp(filtered, 'm'))).not.toContain('❯ ')
      await terminal.press('Escape')
      await view.frame(columns, rows, rows)

      await terminal.press('Enter')
      await terminal.sees(view.details)
      await terminal.press('End')
      await terminal.sees(/^ *\}$/m)
      await terminal.press('Home', 'Down')
      await terminal.sees(/^lines 2–\d+ of \d+/m)
      await terminal.press('c')
      await terminal.sees(/copied, if your terminal /)
      expect(JSON.parse(await terminal.clipboard())).toMatchObject(view.copied)
      await terminal.press('Escape')
      await view.frame(columns, rows, rows)

      let count: number = rows
      await terminal.press('End', 'r')
      if (view.replayed) {
        await terminal.sees(view.replayed[0])
        await terminal.sees(/^.↻\d\d:\d\d:\d\dZ /m)
        count += view.replayed[1]
        await view.frame(columns, rows, count)
      }

      await terminal.press('C-z')
      // The shell prints an empty line, and one about the job, which may be wrapped.
      const expected = view.transcript([''], 148)
      const stopped = await view.prompt()
      expect([...stopped.slice(0, expected.length - 2), ...stopped.slice(-2)]).toEqual(expected)
      // In the background it must not touch the terminal.
      await terminal.type('bg')
      const isStopped = async (): Promise<boolean> => {
        await terminal.type('clear; jobs -s')
        return /Stopped/.test(await terminal.screen())
      }
      await until('the job to be stopped again', isStopped, 2 * LOOK_MS)
      expect(await terminal.modes()).toEqual({ alternate: false, cursor: true })
      // It is not sent the signal of this.
      await terminal.resize(columns - 10, rows + 5)
      await terminal.type('fg; report')
      await view.frame(columns - 10, rows + 5, count)
      await view.send(1)
      await view.frame(columns - 10, rows + 5, count + 1)
      await terminal.press('q')
      expect((await view.prompt()).slice(-4)).toEqual([
        `formwire ${view.command}`,
        ...view.transcript([`${count + 1} ${nouns}`], 0).slice(-3),
      ])
    },
  )

  it.for(['SIGTERM', 'C-c'])('ends with 130 on %s, also while a filter is typed', async (how, context) => {
    const { terminal, ...view } = await open('responses tail', [80, 24, 1], context)
    await terminal.press('f')
    await terminal.sees(/^filter: ▏$/m)
    if (how === 'C-c') await terminal.press(how)
    else process.kill(view.pid(), how)
    context.expect(await view.prompt()).toEqual(view.transcript(['1 response'], 130))
  })

  it.for([
    ['deliveries tail', {}, /^connected/m],
    ['responses tail party0000001', { TERM: 'dumb' }, /waiting for responses \(Ctrl-C to stop\)/],
  ] as const)(
    '%s ends when its terminal is gone',
    async ([command, variables, shown], { onTestFinished, expect }) => {
      const terminal = new Terminal()
      onTestFinished(() => terminal.close())
      const file = join(temporaryDirectory(), 'code')
      const tail = `${process.execPath} ${inject('programs').cli} ${command}`
      const env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen', ...variables }
      // The shell survives the terminal, too, to write the exit code.
      await terminal.start(`sh -c 'trap : HUP; ${tail}; echo $? > ${file}'`, env, 110, 16)
      await terminal.sees(shown)
      await terminal.close()
      await until('the command to end', () => existsSync(file) && readFileSync(file, 'utf8') !== '')
      // Node itself aborts when it cannot restore the mode of its terminal.
      expect(readFileSync(file, 'utf8')).not.toBe('0\n')
    },
  )

  it('listen --quiet shows no keys, keeps the secret, and leaves nothing behind', async ({
    onTestFinished,
    expect,
  }) => {
    const terminal = new Terminal()
    onTestFinished(() => terminal.close())
    const env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
    const listen = `${process.execPath} ${inject('programs').cli} listen --quiet --form ${PARTY}`
    await terminal.start(listen, env, 80, 12)
    const screen = await terminal.sees(/waiting for deliveries\n {2}webhook secret: whsec_/)
    expect(screen).not.toMatch(/q quit|created temporary endpoint/)
    await terminal.press('q')
    await terminal.sees(/^code=0$/m)
    expect((await terminal.screen(true)).trim()).toBe('code=0')
  })
})
