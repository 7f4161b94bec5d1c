/** Largest id of a seed. JavaScript rounds integers above 2^53, and ids that are generated after the largest need room. */
export const LARGEST_ID = 9_000_000_000_000_000
