import fc from 'fast-check'

/**
 * Setup of every test file. A gate gives the same verdict twice, so property tests use one seed, unless a longer run asks for
 * more cases (`FORMWIRE_PROPERTY_RUNS`) or for other ones (`FORMWIRE_PROPERTY_SEED=random`, or a number to repeat a failure).
 */
const { FORMWIRE_PROPERTY_RUNS: runs, FORMWIRE_PROPERTY_SEED: seed = runs ? 'random' : '20261122' } =
  process.env

if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
