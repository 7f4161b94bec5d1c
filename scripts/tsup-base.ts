import { fileURLToPath } from 'node:url'
import type { Options } from 'tsup'

type EsbuildOptions = Parameters<NonNullable<Options['esbuildOptions']>>[0]

const internal = fileURLToPath(new URL('../packages/internal/src/*.ts', import.meta.url))

/** Build options shared by all packages; entries and formats are set per package. */
export const base = {
  target: 'node20',
  tsconfig: '../../tsconfig.json',
  clean: true,
  sourcemap: true,
  esbuildOptions(options, { format }) {
    withoutSources(options)
    // As with `splitting`. Jest runs CommonJS without `import()`, unless Node has a flag.
    if (format === 'cjs') options.supported = { 'dynamic-import': false }
  },
  // Otherwise esbuild turns `node:crypto` into `crypto`.
  removeNodeProtocol: false,
  // TypeScript 6 rejects options that tsup's d.ts step sets, unless this is set.
  // Inlines the types of `internal`, which is not published, as esbuild does with its code.
  dts: { compilerOptions: { ignoreDeprecations: '6.0', paths: { '@formwire/internal/*': [internal] } } },
} satisfies Options

/** Omits the sources from the source maps, which would otherwise be larger than the code. Traces still show files and lines. */
export function withoutSources(options: EsbuildOptions): void {
  options.sourcesContent = false
}
