/** How much a test with many cases tries: a few in `pnpm test`, many in `pnpm test:rest`, which sets `FORMWIRE_TESTS=rest`. */
export const byTier = (quick: number, thorough: number): number =>
  process.env.FORMWIRE_TESTS === 'rest' ? thorough : quick

/** Number of runs of a property; `FORMWIRE_PROPERTY_RUNS` replaces it. A slow test gives one number. */
export const propertyRuns = (quick: number, thorough = quick): number =>
  Number(process.env.FORMWIRE_PROPERTY_RUNS ?? byTier(quick, thorough))
