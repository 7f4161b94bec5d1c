import { afterEach, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { argumentsOf } from '../src/command.ts'
import { EXIT } from '../src/exit.ts'
import { Failure } from '../src/failure.ts'
import { runCli } from './support/run-cli.ts'

afterEach(() => void vi.restoreAllMocks())

const throws = (): never => {
  throw new TypeError('svc_hidden: the reporter itself failed')
}

/** An error of which every property throws when it is read, also those that describe any error. */
const unreadable = (): unknown => new Proxy(new Error('unreadable'), { get: throws })

/** An error that can be described, but not printed. */
const unprintable = (): unknown =>
  new Failure('the form is closed', {
    exitCode: EXIT.notFound,
    code: 'closed',
    details: {
      get field() {
        return throws()
      },
      toJSON: throws,
    },
  })

/** Has the command reject, whatever its options are. */
const rejectWith = (entry: (typeof COMMANDS)[number], error: unknown): void => {
  if (entry.check) vi.spyOn(entry as Required<typeof entry>, 'check').mockReturnValue(undefined)
  vi.spyOn(entry, 'run').mockImplementation(() => Promise.reject<undefined>(error))
}

/** A command line with as many arguments as the command requires. */
const lineOf = (command: (typeof COMMANDS)[number]): string[] => [
  ...command.path,
  ...argumentsOf(command).flatMap(({ isRequired }) => (isRequired ? ['x'] : [])),
]

describe.each(COMMANDS.map((entry) => [entry.path.join(' '), entry] as const))(
  'formwire %s',
  (_name, entry) => {
    it.each([
      ['cannot be read', unreadable, 'an error that cannot be described'],
      ['cannot be printed', unprintable, 'the form is closed'],
    ])('reports an error that %s, as text and as JSON, with exit code 1', async (_which, error, message) => {
      rejectWith(entry, error())
      expect(await runCli(lineOf(entry))).toEqual({
        code: 1,
        stdout: '',
        stderr: `formwire: unexpected error: ${message}\n`,
      })
      if (entry.passThrough) return
      const { code, stdout, stderr } = await runCli([...lineOf(entry), '--json'])
      expect([code, stdout, JSON.parse(stderr)]).toEqual([
        1,
        '',
        { error: { code: 'failed', message: `unexpected error: ${message}`, exit_code: 1 } },
      ])
    })
    it('keeps its exit code when stderr cannot be written', async () => {
      const failure = new Failure('not there', { exitCode: EXIT.notFound, code: 'not_found' })
      rejectWith(entry, failure)
      expect((await runCli(lineOf(entry), { onStderr: throws })).code).toBe(3)
    })
  },
)
