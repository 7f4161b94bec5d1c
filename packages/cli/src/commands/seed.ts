import { chosenForms, defineCommand, formsNamed } from '../command.ts'
import { usage } from '../failure.ts'
import { SEED_PULL_OPTIONS } from '../seed/pull-options.ts'

/** `formwire seed pull FORM...` */
export const seedPull = defineCommand({
  path: ['seed', 'pull'],
  summary: 'copy forms and responses into a seed for a local server',
  description:
    'Reads forms and their responses with GET requests and writes a seed for formwire serve --seed, with the ids, times and scores of the ' +
    'service. Questions are inferred from responses, since the API does not list them. Personal data is replaced: text answers, email ' +
    'addresses, phone numbers, addresses, URLs, file names, other texts and references. Choices, numbers and dates stay unless --scrub strict.\n' +
    'The report on stderr lists each question and what was done with its answers. Memory use does not depend on the number of responses. With ' +
    '--out, what was read is kept in FILE.part, and FILE is written when all is there; after an interruption, --resume continues and --restart begins again. ' +
    'If some of several forms are not found, the others are pulled and written, and the exit code is 3. When rate limited, waits as often as necessary.',
  arguments: [{ name: '[form...]', description: 'ids of the forms' }],
  options: SEED_PULL_OPTIONS,
  examples: {
    'formwire seed pull guestvoice01 --out seed.json': 'copy a form, with personal data replaced',
    'formwire seed pull --all --since 30d --key-file seed.key --out seed.json':
      'the same pseudonyms in every pull',
    'formwire serve --seed seed.json': 'serve the copy',
  },
  exits: [1, 3, 4, 5, 6],
  task: (forms) => (forms.length === 0 ? 'pull the forms' : `pull ${formsNamed(forms)}`),
  check(_context, { out = '-', resume, restart }) {
    const given = resume ? '--resume' : '--restart'
    if ((resume || restart) && out === '-') throw usage(`${given} requires --out FILE`, 'add --out FILE')
    if (resume && restart) throw usage('--resume cannot be combined with --restart', 'remove one of them')
  },
  async run(context, [given], flags) {
    const { runPull } = await import('../seed/pulling.ts')
    await runPull(context, chosenForms(given, flags.all), flags)
  },
})

/** `formwire seed check FILE` */
export const seedCheck = defineCommand({
  path: ['seed', 'check'],
  summary: 'check a seed, and compare it with its service',
  description:
    'Loads the seed and prints what it contains. With --base-url, FORMWIRE_BASE_URL or --profile, also reads its forms from the service and fails if an original text ' +
    'of eight characters or more is still in the seed, or if forms or questions have changed since; a stored profile alone does not count. Refuses another service than the one that the seed names as its source. Never prints a text of a response.',
  arguments: [{ name: '<file>', description: 'the seed' }],
  options: [{ name: 'offline', description: 'do not compare the seed with its service' }],
  examples: {
    'formwire seed check seed.json': 'in CI: fail when the seed cannot be loaded, leaks or is outdated',
    'formwire seed check seed.json --json': 'print one JSON object',
  },
  exits: [1, 3, 4, 5, 6],
  task: ([file]) => `check ${file}`,
  async run(context, [file], { offline = false }) {
    const { runSeedCheck } = await import('../seed/run-check.ts')
    return await runSeedCheck(context, file, offline)
  },
})
