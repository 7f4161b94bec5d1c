import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const packageDir = new URL('../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', packageDir), 'utf8')) as {
  dependencies?: object
  peerDependencies?: object
  peerDependenciesMeta?: object
  optionalDependencies?: object
  exports: Record<string, { '@formwire/source': string } | string>
}
const entryPoints = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name, source: target['@formwire/source'] }],
)

/** Bundled into the package, as its own files are. */
const BUNDLED = '@formwire/internal/'

/** Every module that a source file loads at run time, directly or through files of the package. */
function loaded(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen
  seen.add(file.href)
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
  const { code: source } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', tsconfigRaw })
  for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\b[^'"]*?\bfrom ["']([^"']+)["']/gm)) {
    if (specifier.startsWith('.')) loaded(new URL(specifier, file), seen)
    else if (specifier.startsWith(BUNDLED))
      loaded(new URL(`../internal/src/${specifier.slice(BUNDLED.length)}.ts`, packageDir), seen)
    else seen.add(specifier)
  }
  return seen
}

function packagesOf(source: string): string[] {
  return [...loaded(new URL(source, packageDir))].filter((specifier) => !specifier.startsWith('file:')).sort()
}

describe('the package', () => {
  it('has no dependencies but pg, which is optional', () => {
    expect([manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies]).toEqual([
      undefined,
      { pg: '^8.0.0' },
      undefined,
    ])
    expect(manifest.peerDependenciesMeta).toEqual({ pg: { optional: true } })
  })

  it.each(entryPoints)('$name loads only Node modules', ({ source }) => {
    expect(packagesOf(source).filter((name) => !name.startsWith('node:'))).toEqual([])
  })

  it.each(['./web', './fetch', './hono', './next', './dedupe', './dedupe/redis'])(
    '%s loads no Node module, so that it runs on Workers, Deno and in browsers',
    (entryPoint) => {
      expect(packagesOf(entryPoints.find(({ name }) => name === entryPoint)?.source as string)).toEqual([])
    },
  )
})
