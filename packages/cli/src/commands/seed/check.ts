import { defineCommand } from '../../command.ts'

/** `formwire seed check FILE` */
export const seedCheck = defineCommand({
  path: ['seed', 'check'],
  summary: 'check a seed, and compare it with its service',
  description:
    'Loads the seed and prints what it contains. With --base-url, FORMWIRE_BASE_URL or --profile, also reads its forms from the service and fails if an original text ' +
    'of eight characters or more is still in the seed, or if forms or questions have changed since; a stored profile alone does not count. Refuses another service than the one that the seed names as its source. Never prints a text of a response.',
  arguments: [{ name: '<file>', description: 'the seed' }],
  options: [{ name: 'offline', description: 'do not compare the seed with its service' }],
  examples: [
    ['formwire seed check seed.json', 'in CI: fail when the seed cannot be loaded, leaks or is outdated'],
    ['formwire seed check seed.json --json', 'print one JSON object'],
  ],
  exits: [1, 3, 4, 5, 6],
  task: ([file]) => `check ${file}`,
  async run(context, [file], { offline = false }) {
    const { runSeedCheck } = await import('../../seed/run-check.ts')
    return await runSeedCheck(context, file, offline)
  },
})
