import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'

const NODE = ['--', process.execPath, '-e', '0']

describe('formwire rehearse', () => {
  it.each([
    [['--handled', 'true'], 'no program to rehearse'],
    [NODE, 'nothing says what the program has handled'],
    [
      ['--handled', 'true', '--handled-url', '/handled', ...NODE],
      '--handled cannot be combined with --handled-url',
    ],
    [['--webhook', 'hooks', ...NODE], '--webhook must be a path that begins with /, got "hooks"'],
    [
      ['--webhook', '/my hooks', ...NODE],
      '--webhook must not contain spaces, control characters or backslashes, got "/my hooks"',
    ],
    [
      ['--handled-url', 'handled', ...NODE],
      '--handled-url must be an http or https URL, or a path that begins with /',
    ],
    [['--handled-url', 'http://', ...NODE], '--handled-url must be an http or https URL, or a path'],
    [
      ['--handled', 'true', '--only', 'kill,draft', '--without', 'draft', ...NODE],
      '--only draft cannot be combined with --without draft',
    ],
    ...['--only kill', '--without kill', '--profile harsh', '--responses 5', '--seed 1'].map(
      (option): [string[], string] => [
        ['--handled', 'true', '--schedule', 'story.json', ...option.split(' '), ...NODE],
        `${option.split(' ')[0]} cannot be combined with --schedule`,
      ],
    ),
    [['--only', 'kil', ...NODE], 'a kind must be one of duplicate, delay, reorder'],
    [
      ['--expect', 'often', ...NODE],
      '--expect must be one of exactly-once, at-least-once, at-most-once, got "often"',
    ],
    [['--runs', '0', ...NODE], '--runs must be a positive integer, got "0"'],
    [['--seed', '-1', ...NODE], '--seed must be an integer from 0 to 2147483647, got "-1"'],
    [
      ['--handled', 'true', '--responses', '5000', ...NODE],
      'responses must be an integer from 1 to 1000, got 5000.',
    ],
  ])('refuses %j, exit 2', async (argv, message) => {
    const { code, stderr } = await runCli(['rehearse', ...argv])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it.each([
    'http://bob:pa55word@127.0.0.1/handled',
    'ftp://bob:pa55word@host/',
    'bob:pa55word@host',
    'http://@host',
  ])('refuses a user name or password in --handled-url without repeating it: %s, exit 2', async (url) => {
    const { code, stderr } = await runCli(['rehearse', '--handled-url', url, ...NODE])
    expect([code, stderr]).toEqual([2, 'formwire: --handled-url must not contain a user name or password\n'])
  })

  it('names the member of a schedule that is invalid, exit 2', async () => {
    const file = join(temporaryDirectory(), 'story.json')
    writeFileSync(file, '{"version":1,"responses":[{"at_ms":"soon"}],"steps":[]}')
    const { code, stderr } = await runCli(['rehearse', '--handled', 'true', '--schedule', file, ...NODE])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('schedule.responses[0].at_ms must be an integer from 0 to 600000, got "soon".'),
    ])
  })
})
