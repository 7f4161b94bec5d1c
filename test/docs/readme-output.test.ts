/** The output that README.md shows is what its examples and the programs print. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import * as testKit from '@formwire/reference-server/testing'
import * as sdk from '@formwire/sdk'
import * as checkpointFile from '@formwire/sdk/checkpoint/file'
import * as dedupe from '@formwire/webhook-verify/dedupe'
import * as nodeAdapter from '@formwire/webhook-verify/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOON, runCli } from '../../packages/cli/test/support/run-cli.ts'
import { type Service, startService } from '../../packages/cli/test/support/service.ts'
import { runExample } from './recipe.ts'

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8')

/** An example, and the output that the next block shows. */
function example(holding: string): { code: string; output: string } {
  const pattern = /^```ts\n([\s\S]*?)^```\n(?:(?!^```|^#)[\s\S])*?^```text\n([\s\S]*?)^```$/gm
  const found = [...readme.matchAll(pattern)].filter(([, code]) => code?.includes(holding))
  expect(found, holding).toHaveLength(1)
  const [[, code = '', output = ''] = []] = found
  return { code, output }
}

/** Commands in blocks, with what they print. Those without output are only shown. */
const commands = [...readme.matchAll(/^```text\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^(?=\$ )/m))
  .map((part) => ({ command: part.slice(2, part.indexOf('\n')), output: part.slice(part.indexOf('\n') + 1) }))
  .filter(({ command, output }) => command.startsWith('formwire ') && output !== '')

/** Removes how long a command took, in milliseconds, seconds or minutes. */
const withoutTimes = (text: string): string => text.replace(/(?<=requests, )[^)]+(?=\))/g, '…')

describe('the README', () => {
  let service: Service
  let folder = ''
  const servers: Server[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'formwire-readme-'))
    service = await startService({ seed: 'demo' })
  })
  afterAll(async () => {
    for (const server of servers) server.close()
    await service.server.close()
    rmSync(folder, { recursive: true })
  })

  /** A console that keeps the lines, as Node prints them. */
  function recorder(): { console: object; printed(): string } {
    let text = ''
    const shown = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))
    const log = (...values: unknown[]): void => {
      text += `${values.map(shown).join(' ')}\n`
    }
    return { console: { log }, printed: () => text }
  }

  it('shows what a test prints', async () => {
    const { code, output } = example('startFormwire')
    const { console, printed } = recorder()
    await runExample(code, {
      modules: { '@formwire/reference-server/testing': testKit, '@formwire/sdk': sdk },
      values: { console },
    })
    expect(printed()).toBe(output)
  })

  it('shows what two runs of a poll print', async () => {
    const { code, output } = example('fileCheckpoint')
    const { console, printed } = recorder()
    class Formwire extends sdk.Formwire {
      constructor() {
        super({ apiKey: service.server.writeKey, baseUrl: service.url })
      }
    }
    const fileCheckpoint = (name: string) => checkpointFile.fileCheckpoint(join(folder, name))
    const modules = { '@formwire/sdk': { Formwire }, '@formwire/sdk/checkpoint/file': { fileCheckpoint } }
    for (let run = 1; run <= 2; run += 1) await runExample(code, { modules, values: { console } })
    expect(printed()).toBe(output)
  })

  it('shows what a receiver prints', async () => {
    const { code, output } = example('createReceiver')
    const { console, printed } = recorder()
    const recorded = (handle: RequestListener): Server => {
      const server = createServer(handle)
      servers.push(server)
      return server
    }
    const env = { FORMWIRE_WEBHOOK_SECRET: 'whsec_test' }
    await runExample(code.replace('3000', '0'), {
      modules: {
        'node:http': { createServer: recorded },
        '@formwire/webhook-verify/dedupe': dedupe,
        '@formwire/webhook-verify/node': nodeAdapter,
      },
      values: { console, process: { env } },
    })
    const [server] = servers as [Server]
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const argv = ['trigger', 'response.submitted', '--forward-to', `http://127.0.0.1:${port}`]
    expect(await runCli(argv, { env, now: Date.now })).toMatchObject({ code: 0 })
    expect(printed()).toBe(output)
  })

  it('shows the output of commands', () => {
    const groups = commands.map(({ command }) => command.split(' ')[1])
    expect(groups).toEqual(expect.arrayContaining(['sync', 'forms', 'responses']))
  })

  it.each(commands)('shows what "$command" prints', async ({ command, output }) => {
    const [line = '', pipe] = command.replace(/\s+#.*/, '').split(' | ')
    const argv = line
      .split(' ')
      .slice(1)
      .map((word) => word.replace('sqlite:', `sqlite:${folder}/`))
    const env = { ...service.env, FORMWIRE_API_KEY: service.server.writeKey, NO_COLOR: '1' }
    const terminal = pipe === undefined ? { terminal: 110 } : {}
    const { code, stdout, stderr } = await runCli(argv, { env, now: NOON, ...terminal })
    expect(code, stderr).toBe(0)
    const printed = pipe === 'head -1' ? stdout.slice(0, stdout.indexOf('\n') + 1) : stdout + stderr
    expect(withoutTimes(printed)).toBe(withoutTimes(output))
  })
})
