import type { RehearsalEnvironment } from '@formwire/reference-server/testing'
import { expect, it } from 'vitest'
import { ProcessPrograms } from '../../src/rehearse/process-program.ts'
import { onTerminal } from '../support/on-terminal.ts'

const startProgram = (argv: readonly string[]) =>
  new ProcessPrograms(onTerminal().context, argv).start({} as RehearsalEnvironment)

it.each([
  ['its exit code, when it printed nothing', 'process.exit(3)', 'exit code 3'],
  [
    'its exit code and the last line of stderr',
    'console.error("starting"); console.error("cannot read the configuration\\n"); process.exit(3)',
    'exit code 3: cannot read the configuration',
  ],
  [
    'the error that ended it, and not the stack after it',
    'console.error("TypeError: before"); setTimeout(() => { throw new RangeError("out of order") })',
    'exit code 1: RangeError: out of order',
  ],
  [
    'no control characters of what it printed',
    'console.error("red \\u001b[0m and not"); process.exit(1)',
    'exit code 1: red [0m and not',
  ],
  [
    'the last line of more output than is kept',
    'process.stderr.write("x".repeat(100_000) + "\\nfull\\n", () => process.exit(1))',
    'exit code 1: full',
  ],
  ['the signal that ended it', 'process.kill(process.pid, "SIGKILL")', 'SIGKILL'],
])('a program that has ended by itself tells %s', async (_what, script, expected) => {
  expect(await startProgram([process.execPath, '-e', script]).ended).toBe(expected)
})

it('a program that cannot be started tells why', async () => {
  expect(await startProgram(['/no/such/program']).ended).toBe('cannot be started: ENOENT')
})
