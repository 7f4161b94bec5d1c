/**
 * How much a test with many cases tries. Every run of the tests tries a few; `pnpm test:thorough`, which `.ci/run` calls, sets
 * `FORMWIRE_TESTS=thorough` for the second, slow tier.
 */
export const byTier = (quick: number, thorough: number): number =>
  process.env.FORMWIRE_TESTS === 'thorough' ? thorough : quick

/** Number of runs of a property; `FORMWIRE_PROPERTY_RUNS` replaces it. A slow test gives one number. */
export const propertyRuns = (quick: number, thorough = quick): number =>
  Number(process.env.FORMWIRE_PROPERTY_RUNS ?? byTier(quick, thorough))
