import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineCommand } from '../command.ts'
import { failed, usage } from '../failure.ts'
import { SERVE_PULL_OPTIONS } from '../seed/pull-options.ts'

/** `formwire serve [OPTIONS]`: runs the program of the reference server in this process. */
export const serve = defineCommand({
  path: ['serve'],
  summary: 'run the reference server',
  description:
    'Every option after serve goes to formwire-server: --port, --host, --seed, --state, --clock, --address-rules, ' +
    '--admin-token, --unspecified, --rate-limits, --json and more. "formwire serve -- --help" lists them all. ' +
    '"formwire serve receiver" runs the mock receiver. Ctrl-C stops the server with exit code 0.\n' +
    'With --pull, the data is a copy of the configured service: read at the start with GET requests, with personal data replaced as by formwire ' +
    'seed pull, and never written to disk.',
  arguments: [{ name: '[server options...]', description: 'options of formwire-server' }],
  options: SERVE_PULL_OPTIONS.map((option) => ({
    ...option,
    // No file is written.
    ...(option.name === 'no-scrub' && { description: 'keep personal data' }),
    heading: 'Pull a service first',
  })),
  examples: {
    'formwire serve': 'serve the demo workspace on http://127.0.0.1:8787',
    'formwire serve --pull --form guestvoice01': 'serve a scrubbed copy of a form of your service',
    'formwire serve --port 0 --seed empty --clock manual --json':
      'for a test: print URL and keys as the first line',
  },
  exits: [1, 3, 4, 5, 6],
  passThrough: true,
  task: () => 'pull the forms',
  async run(context, [given]): Promise<void> {
    // The server prints, handles signals and sets the exit code on its own: this process becomes that program.
    const words = context.global.json ? ['--json', ...given.filter((word) => word !== '--json')] : given
    if (words.includes('--pull')) {
      const { servePull } = await import('../seed/serve-pull.ts')
      return await servePull(context, words, serverProgram())
    }
    const unused = SERVE_PULL_OPTIONS.map(({ name }) => `--${name}`).find((name) =>
      words.some((word) => word === name || word.startsWith(`${name}=`)),
    )
    if (unused !== undefined) throw usage(`${unused} requires --pull`, `add --pull, or remove ${unused}`)
    // The server recognizes `receiver` only as the first word.
    context.runtime.execProgram(serverProgram(), given[0] === 'receiver' ? [...given] : words)
    await import(pathToFileURL(serverProgram()).href)
    await new Promise(() => undefined)
  },
})

function serverProgram(): string {
  try {
    // Beside the main entry: `dist/bin.js`, or `src/bin.ts` where the sources run.
    const entry = fileURLToPath(import.meta.resolve('@formwire/reference-server'))
    return join(dirname(entry), `bin${extname(entry)}`)
  } catch (error) {
    const hint = 'npm install @formwire/reference-server'
    throw failed('not_installed', 'the reference server is not installed', hint, error)
  }
}
