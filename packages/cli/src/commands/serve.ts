import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'

/** `formwire serve [OPTIONS]`: the reference server's own program in this process. */
export const serve = defineCommand({
  description:
    'Everything after serve goes to formwire-server as it is: --port, --host, --seed, --clock, --address-rules, ' +
    '--admin-token, --unspecified, --rate-limits, --json and more; serve receiver runs the mock receiver. ' +
    'Ends with 0 on Ctrl-C.',
  arguments: [{ name: '[options...]', description: 'options of formwire-server' }],
  examples: [
    ['formwire serve', 'the demo workspace on http://127.0.0.1:8787'],
    [
      'formwire serve --port 0 --seed empty --clock manual --json',
      'for a test: the first line says where, and the keys',
    ],
  ],
  exits: [1],
  passThrough: true,
  async run(context, args): Promise<void> {
    // It has a first line, signals and exit codes of its own: this process becomes that program.
    const given = (args[0] ?? []) as unknown as string[]
    const own = context.global.json ? ['--json', ...given.filter((word) => word !== '--json')] : given
    // `receiver` is only a word of the server's when it comes first.
    context.runtime.becomeAnotherProgram(serverProgram(), given[0] === 'receiver' ? [...given] : own)
    await import(pathToFileURL(serverProgram()).href)
    await new Promise(() => undefined)
  },
})

function serverProgram(): string {
  try {
    const manifest = fileURLToPath(import.meta.resolve('@formwire/reference-server/package.json'))
    return join(dirname(manifest), 'dist', 'bin.js')
  } catch (error) {
    throw new Failure('the reference server is not installed', {
      exitCode: EXIT.failed,
      code: 'not_installed',
      hint: 'npm install @formwire/reference-server',
      cause: error,
    })
  }
}
