/** The recording on the home page of the documentation. `FORMWIRE_SCREENSHOTS=1` records it again. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, inject, it, onTestFinished } from 'vitest'
import { Terminal } from '../../packages/cli/test/support/terminal.ts'
import { hasProgram } from '../support/programs.ts'
import { start } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { terminalSvg } from './terminal-svg.ts'

const file = fileURLToPath(new URL('../../docs/screenshots/terminal.svg', import.meta.url))
const COLUMNS = 80

/** Blank lines, and the ends of colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const TRAILING = /(?:\s|\u001b\[[\d;]*m)+$/

const COMMANDS = [
  'formwire forms list',
  'formwire responses list guestvoice01 --limit 6',
  'formwire deliveries list guestvoice01 3 --limit 6',
]

it.runIf(hasProgram('tmux'))('the recording of the home page shows what its commands print', async () => {
  const programs = inject('programs')
  // A clock that stands still, for the same relative times in every run.
  const clock = ['--clock', 'manual', '--now', '2026-11-21T12:00:00Z']
  const server = start(
    [programs['reference-server'], '--port', '0', '--json', '--admin-token', 'admin', ...clock],
    { HOME: temporaryDirectory() },
  )
  onTestFinished(async () => {
    server.child.kill()
    await server.finished
  })
  const { url, write_key } = JSON.parse(await server.firstLine)
  const env = {
    HOME: temporaryDirectory(),
    FORMWIRE_BASE_URL: url,
    FORMWIRE_API_KEY: write_key,
    FORMWIRE_ADMIN_TOKEN: 'admin',
  }
  const session = []
  for (const command of COMMANDS) session.push({ command, output: await outputOf(command, env) })

  const recording = await terminalSvg(COLUMNS, session)
  if (process.env.FORMWIRE_SCREENSHOTS === '1') writeFileSync(file, recording)
  expect(recording).toBe(readFileSync(file, 'utf8'))
})

/** Returns the lines that a command prints on a terminal. */
async function outputOf(command: string, env: Record<string, string>): Promise<string[]> {
  const terminal = new Terminal()
  onTestFinished(() => terminal.close())
  const program = command.replace('formwire', `${process.execPath} ${inject('programs').cli}`)
  await terminal.start(program, env, COLUMNS, 24)
  await terminal.sees(/code=0/)
  const [printed = ''] = (await terminal.styled()).split('code=0')
  return withFixedNames(printed.replace(TRAILING, '')).split('\n')
}

/** Replaces what differs from run to run by something of the same length: ids of deliveries, instants, and the port of a receiver. */
function withFixedNames(text: string): string {
  let count = 0
  return text
    .replace(/(?<=dlv_)\w+/g, ({ length }) => {
      count += 1
      return createHash('sha256').update(`${count}`).digest('base64url').replace(/\W|_/g, '').slice(0, length)
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-11-21T09:30:00Z')
    .replace(/(?<=since )\d\d [A-Z][a-z]{2}/g, '21 Nov')
    .replace(/(?<=127\.0\.0\.1:)\d{5}/g, '41820')
}
