import { expect, it } from 'vitest'
import { HELP } from '../src/root-help.ts'
import { runCli } from './support/run-cli.ts'

it.each([
  ['formwire --help', ['--help'], 'full'],
  ['formwire', [], 'bare'],
] as const)(
  'the texts of the fast path are what %s prints, without and with colour',
  async (_, argv, page) => {
    const plain = await runCli(argv, { terminal: 80, env: { NO_COLOR: '1' } })
    const coloured = await runCli(argv, { terminal: 80 })
    expect(HELP.map(({ [page]: text }) => text)).toEqual([plain.stdout, coloured.stdout])
  },
)

it('formwire alone prints its groups and four examples on one screen of 80 × 24', async () => {
  const { stdout } = await runCli([], { terminal: 80, env: { NO_COLOR: '1' } })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThan(24)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  expect(stdout.match(/^ {2}\$ formwire /gm)).toHaveLength(4)
  expect(stdout).toContain('  Webhooks             webhooks, listen, trigger, replay, inbox\n')
})
