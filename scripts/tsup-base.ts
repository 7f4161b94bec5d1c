import type { Options } from 'tsup'

/** What every package's build shares; the entries and formats are each package's own. */
export const base = {
  target: 'node20',
  tsconfig: '../../tsconfig.json',
  clean: true,
  sourcemap: true,
  // esbuild would turn `node:crypto` into `crypto`.
  removeNodeProtocol: false,
  // TypeScript 6 refuses the options that tsup's d.ts step sets unless told so.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
} satisfies Options
