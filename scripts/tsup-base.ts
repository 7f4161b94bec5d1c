import type { Options } from 'tsup'

/** Build options shared by all packages; entries and formats are set per package. */
export const base = {
  target: 'node20',
  tsconfig: '../../tsconfig.json',
  clean: true,
  sourcemap: true,
  // Otherwise esbuild turns `node:crypto` into `crypto`.
  removeNodeProtocol: false,
  // TypeScript 6 rejects options that tsup's d.ts step sets, unless this is set.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
} satisfies Options
