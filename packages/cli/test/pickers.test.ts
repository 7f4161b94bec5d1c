import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import type { Context } from '../src/context.ts'
import { PLAIN_PENS } from '../src/output/pens.ts'
import { pick } from '../src/pickers/picker.tsx'
import { outcome, runCli } from './support/run-cli.ts'
import { oneService, SURVEY } from './support/service.ts'

const service = oneService()

it.each<[where: string, line: string, code: number, message: string, env?: Record<string, string>]>([
  ['on a pipe', 'forms get', 2, "missing required argument 'form'"],
  ['in CI', `responses get ${SURVEY}`, 2, "missing required argument 'id'", { CI: 'true' }],
  ['with TERM=dumb', `responses delete ${SURVEY}`, 2, 'missing response id', { TERM: 'dumb' }],
  ['with --json', 'deliveries show --json', 2, "missing required argument 'id'"],
  ['before its options are checked', 'sync', 2, 'missing required option --to'],
  ['before its options are checked', 'responses export --resume', 2, '--resume requires --output FILE'],
  ['without a token', 'deliveries list', 4, 'no admin token', { FORMWIRE_ADMIN_TOKEN: '' }],
])('a picker does not open %s: %s', async (where, line, code, message, env) => {
  const result = await runCli(line, {
    env: { ...service.env, NO_COLOR: '1', ...env },
    ...(where !== 'on a pipe' && { terminal: 80 }),
    errorTerminal: true,
    stdin: Object.assign(Readable.from([]), { isTTY: true, setRawMode: vi.fn() }),
  })
  expect(result).toEqual(outcome(code, '', expect.stringContaining(message)))
})

it('a picker does not open once the command is stopped', async () => {
  const write = vi.fn()
  const runtime = { stdin: {}, stderr: { write }, stop: AbortSignal.abort() }
  const context = { runtime, output: { errorPens: PLAIN_PENS }, onExit: vi.fn() } as unknown as Context
  expect(await pick(context, 'Which?', false, [{ value: 'a', label: 'a' }])).toBeUndefined()
  expect(write).not.toHaveBeenCalled()
})
