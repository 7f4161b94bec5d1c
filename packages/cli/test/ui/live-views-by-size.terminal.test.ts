import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMockReceiver } from '@formwire/reference-server'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { afterAll, beforeAll, describe, inject, it, type TestContext } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type Service, startService } from '../support/service.ts'
import { Terminal } from '../support/terminal.ts'
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
  service = await startService({ deliveryTimeoutMs: 60_000 })
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
  /** What the command prints before it opens the view. */
  announced: string[]
  /** What it shows once rows can be added. */
  ready: RegExp
  /** Adds rows. */
  send(count: number): Promise<void>
}

const VIEWS: readonly (readonly [name: string, view: () => Promise<View>])[] = [
  [
    'deliveries tail',
    async () => {
      const { app, clock } = service.server
      const { id } = app.forms.create({ title: 'Followed' })
      const webhook = await app.webhooks.create(id, { url: receiver.url })
      return {
        command: `deliveries tail ${id}`,
        env: service.env,
        header: 'deliveries of form ',
        announced: [],
        ready: /^connected · [\s\S]*q quit/m,
        async send(count) {
          for (let number = 0; number < count; number += 1) app.webhooks.test(id, webhook.id)
          await clock.advance(0)
        },
      }
    },
  ],
  [
    'listen',
    async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      return {
        command: `listen --port ${port}`,
        env: { FORMWIRE_WEBHOOK_SECRET: SECRET },
        header: 'listening on ',
        announced: [],
        ready: /q quit/,
        async send(count) {
          const deliveries = Array.from({ length: count }, () => createDelivery({ secret: SECRET }))
          await Promise.all(deliveries.map((delivery) => fetch(url, { method: 'POST', ...delivery })))
        },
      }
    },
  ],
]

const CASES = VIEWS.flatMap(([name, view]) =>
  [
    [80, 24],
    [50, 12],
  ].map(([columns = 0, rows = 0]) => [name, columns, rows, view] as const),
)

/** A view that the shell of a terminal has started. */
interface OpenView extends View {
  terminal: Terminal
  pid(): number
  /** Waits for a whole frame of this size with this number of deliveries, none of which is pending. */
  frame(columns: number, rows: number, deliveries: number): Promise<void>
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
  [, columns, rows, start]: (typeof CASES)[number],
  deliveries: number,
  { onTestFinished, expect }: TestContext,
  variables: Record<string, string> = {},
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
  const view = await start()
  const terminal = new Terminal()
  onTestFinished(() => terminal.close())
  const env = { ...view.env, ...variables, HOME: home, TERM: 'screen' }
  await terminal.start(`bash --init-file ${startFile} -i`, env, columns, rows)
  await terminal.sees(/^line 60\n\$$/m)
  await terminal.type(`formwire ${view.command}; report`)
  await terminal.sees(view.ready)
  const opened: OpenView = {
    ...view,
    terminal,
    pid: () => Number(readFileSync(join(home, 'pid'), 'utf8')),
    async frame(width, height, count) {
      const facts = `(?!.*pending).*\\b${count} deliver.*`
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
      ...view.announced,
      ...lastLines,
      `code=${code} echo icanon`,
      '$',
    ],
  }
  await view.send(deliveries)
  await opened.frame(columns, rows, deliveries)
  return opened
}

describe.concurrent('a live view in a shell', () => {
  it.for(CASES)('%s fills %i × %i, and what it is resized to', async (size, context) => {
    const [, columns, rows] = size
    const { terminal, ...view } = await open(size, rows, context)
    for (const [width, height] of [
      [columns - 20, rows - 2],
      [columns + 40, rows + 12],
      [columns, rows],
    ] as const) {
      await terminal.resize(width, height)
      await view.frame(width, height, rows)
    }
    await terminal.press('q')
    context.expect(await view.prompt()).toEqual(view.transcript([`${rows} deliveries`], 0))
  })

  it.for(CASES.filter(([, , rows]) => rows === 24))(
    '%s loses no key while it is resized from %i × %i',
    async (size, context) => {
      const [, columns, rows] = size
      const { terminal, ...view } = await open(size, 1, context)
      await terminal.press('f')
      const words = ['never', 'seen', 'in', 'any', 'text']
      for (const [at, word] of words.entries()) {
        await terminal.send(word)
        await terminal.resize(columns - (at % 2), rows)
      }
      await terminal.sees(
        new RegExp(`no delivery has this text\\s+^filter: ${words.join('')}▏\\s+enter apply`, 'm'),
      )
      await terminal.press('C-c')
      context.expect(await view.prompt()).toEqual(view.transcript(['1 delivery'], 130))
    },
  )

  it.for(CASES)('%s takes a pasted text for no keys at %i × %i', async (size, context) => {
    const [, columns, rows] = size
    const { terminal, ...view } = await open(size, 1, context)
    await terminal.paste(HOSTILE)
    await terminal.press('?')
    await terminal.sees(/ select a delivery[\s\S]*^esc back · q quit/m)
    await terminal.press('?')
    await view.frame(columns, rows, 1)
    await terminal.press('q')
    context.expect(await view.prompt()).toEqual(view.transcript(['1 delivery'], 0))
  })

  it.for(CASES)('%s filters by a pasted text, and ends on Ctrl-C, at %i × %i', async (size, context) => {
    const { expect } = context
    const [, columns, rows] = size
    const { terminal, ...view } = await open(size, 1, context)
    const filter = async (): Promise<void> => {
      await terminal.press('f')
      await terminal.sees(/^filter: ▏$/m)
    }
    await filter()
    await terminal.paste(HOSTILE)
    const filtered = /no delivery has this text\s+^filter: none qq {2}q▏\s+enter apply · esc clear$/m
    expect(await terminal.sees(filtered)).not.toContain('› ')
    await terminal.press('Escape')
    await view.frame(columns, rows, 1)
    await filter()
    await terminal.press('C-c')
    expect(await view.prompt()).toEqual(view.transcript(['1 delivery'], 130))
  })

  it.for(CASES)('%s ends with 130 on SIGTERM at %i × %i', async (size, context) => {
    const [, , rows] = size
    const view = await open(size, rows, context)
    process.kill(view.pid(), 'SIGTERM')
    context.expect(await view.prompt()).toEqual(view.transcript([`${rows} deliveries`], 130))
  })

  it.for(CASES)('%s leaves the screen on Ctrl-Z at %i × %i, and covers it with fg', async (size, context) => {
    const { expect } = context
    const [, columns, rows] = size
    const { terminal, ...view } = await open(size, 1, context)
    await terminal.press('C-z')
    // The shell prints an empty line, and one about the job, which may be wrapped.
    const expected = view.transcript([''], 148)
    const stopped = await view.prompt()
    expect([...stopped.slice(0, expected.length - 2), ...stopped.slice(-2)]).toEqual(expected)
    // In the background it must not touch the terminal.
    await terminal.type('bg')
    await until('the job to be stopped again', async () => {
      await terminal.type('clear; jobs -s')
      return /Stopped/.test(await terminal.screen())
    })
    expect(await terminal.modes()).toEqual({ alternate: false, cursor: true })
    // It is not sent the signal of this.
    await terminal.resize(columns - 10, rows + 5)
    await terminal.type('fg; report')
    await view.frame(columns - 10, rows + 5, 1)
    await view.send(1)
    await view.frame(columns - 10, rows + 5, 2)
    await terminal.press('q')
    expect((await view.prompt()).slice(-4)).toEqual([
      `formwire ${view.command}`,
      ...view.transcript(['2 deliveries'], 0).slice(-3),
    ])
  })

  it.for(CASES)('%s ends with 1 at %i × %i if it cannot be shown, and prints why', async (size, context) => {
    const folder = temporaryDirectory()
    const [broken, prepared] = [join(folder, 'broken.mjs'), join(folder, 'prepared')]
    // Only lines of the view are as wide as the terminal.
    writeFileSync(
      broken,
      `import { writeFileSync } from 'node:fs'
const { repeat } = String.prototype
function broken(count) {
  if (count >= 50) throw new Error('repeat is broken')
  return repeat.call(this, count)
}
// From the next key on: another paint would end the view before, and leave the key to the shell.
process.on('SIGUSR2', () => {
  process.stdin.prependListener('readable', () => { String.prototype.repeat = broken })
  writeFileSync('${prepared}', '')
})
`,
    )
    const variables = { NODE_OPTIONS: `--import=${broken}` }
    const { terminal, ...view } = await open(size, 1, context, variables)
    process.kill(view.pid(), 'SIGUSR2')
    // A busy program reads a key before it learns of an earlier signal.
    await until('the listener', () => existsSync(prepared))
    await terminal.press('?')
    const lastLines = [
      '1 delivery',
      '✗ could not show the live view: repeat is broken',
      '  to print plain lines instead, add --view lines',
    ]
    context.expect(await view.prompt()).toEqual(view.transcript(lastLines, 1))
  })
})
