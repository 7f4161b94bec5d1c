import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const DYNAMIC_IMPORT = /\bimport\('(\.[^']+\.ts)'\)/g
const STATIC_IMPORT = /^(?:import|export|\}) (?!type )(?:[^'\n]* )?(?:from )?'(\.[^']+\.ts)'/gm

/** Modules that are loaded lazily, and all together. */
interface Group {
  /** The module that is loaded. */
  readonly entry: string
  /** Folder of a package, and how its modules are imported elsewhere. */
  readonly folder: string
  readonly packageName: string
}

interface OneCoreOptions {
  /** The module to keep in one chunk, with everything it imports. */
  readonly core: string
  /** Folders whose modules are bundled. */
  readonly folders: readonly string[]
  /** Other modules of the core that lazily loaded packages import too, and that would be a chunk of their own. */
  readonly shared?: readonly string[]
  /** Modules to leave as they are, since they are needed without the core. */
  readonly without?: readonly string[]
  /** Other modules to keep in one chunk each: every lazily loaded module that imports a part of the package imports its entry. */
  readonly groups?: readonly Group[]
}

/**
 * Keeps a module and everything it imports in one chunk. esbuild makes a chunk per set of entry points that share code,
 * and Node takes longer to find a file than to read it: without this, a start of the server takes 10 % longer. Every entry
 * point and every lazily loaded module imports the core, so that all of them share all of it.
 */
export function oneCore({ core, folders, shared = [], without = [], groups = [] }: OneCoreOptions): Plugin {
  return {
    name: 'one-core',
    setup(build) {
      const inCore = staticImports(core)
      const roots = new Set([...folders.flatMap(lazyModules).filter((path) => !inCore.has(path)), ...shared])
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind === 'entry-point') roots.add(resolve(resolveDir, path))
        return undefined
      })
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!roots.has(path) || without.includes(path)) return undefined
        const whole = [core, ...groups.filter((group) => uses(path, group)).map(({ entry }) => entry)]
        const imports = whole.map((module) => `import ${JSON.stringify(module)}\n`)
        return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: 'ts' }
      })
    },
  }
}

/** Whether a module imports a part of the group statically, and is not its entry. */
function uses(module: string, { entry, folder, packageName }: Group): boolean {
  if (module === entry) return false
  return [...staticImports(module)].some(
    (path) => path.startsWith(`${folder}/`) || importsOf(path, packageImport(packageName)).length > 0,
  )
}

const packageImport = (name: string): RegExp =>
  new RegExp(`^(?:import|export|\\}) (?!type )(?:[^'\\n]* )?(?:from )?'(${name}(?:/[^']+)?)'`, 'gm')

/** Returns the modules below a folder that are loaded with `import()`, some of which are imported statically too. */
function lazyModules(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => importsOf(join(folder, file), DYNAMIC_IMPORT))
}

/** Returns a module and all modules that it imports statically. */
function staticImports(module: string, seen = new Set<string>()): Set<string> {
  if (seen.has(module)) return seen
  seen.add(module)
  for (const path of importsOf(module, STATIC_IMPORT)) staticImports(path, seen)
  return seen
}

function importsOf(module: string, pattern: RegExp): string[] {
  const imports = readFileSync(module, 'utf8').matchAll(pattern)
  return [...imports].map(([, path = '']) => resolve(dirname(module), path))
}
