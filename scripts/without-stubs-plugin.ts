import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['plugins']>[number]

/** The code of each file of a build, by name. */
type Files = Map<string, string>

/**
 * Removes files without code of their own from a minified build, since Node takes longer to find a file than to read it. For a
 * module that is loaded with `import()` and imported statically too, esbuild writes a chunk with the code, and a stub that exports
 * it: the chunk is loaded instead. esbuild's helpers for CommonJS are a chunk too: they move into the only one that calls them.
 */
export function withoutStubs(): Plugin {
  return {
    name: 'without-stubs',
    buildEnd() {
      const { outDir } = this.options
      const names = readdirSync(outDir).filter((name) => name.endsWith('.js'))
      const files: Files = new Map(names.map((name) => [name, readFileSync(join(outDir, name), 'utf8')]))
      inlineHelpers(files)
      loadChunks(files)
      for (const name of names) {
        const code = files.get(name)
        if (code === undefined) rmSync(join(outDir, name))
        else writeFileSync(join(outDir, name), code)
      }
    },
  }
}

const HELPERS = /^(var \w+=Object\.create;.*)export\{([^}]*)\};\s*$/s

/** Moves the helpers of esbuild into the file that imports them by name. Elsewhere their import has no effect. */
function inlineHelpers(files: Files): void {
  for (const [name, code] of files) {
    const [, body = '', exported = ''] = HELPERS.exec(code) ?? []
    const named = new RegExp(`import\\{([^}]*)\\}from"\\./${name}";`)
    const users = [...files.keys()].filter((file) => named.test(files.get(file) ?? ''))
    const [user] = users
    if (body === '' || user === undefined || users.length > 1) continue
    const members = pairs(exported).map(([local, as]) => `${as}:${local}`)
    const inlined = (imported: string): string =>
      `const{${pairs(imported).map(([from, local]) => `${from}:${local}`)}}=(()=>{${body}return{${members}}})();`
    files.set(
      user,
      (files.get(user) ?? '').replace(named, (_, imported: string) => inlined(imported)),
    )
    files.delete(name)
    for (const [file, text] of files) files.set(file, text.replaceAll(`import"./${name}";`, ''))
  }
}

const STUB = /^((?:import(?:\{[^}]*\}from)?"\.\/[^"]+";)+)export\{([^}]*)\};\s*$/
const SOURCE = /import\{([^}]*)\}from"(\.\/[^"]+)";/g

/** Loads the chunk that a stub exports from in place of the stub. */
function loadChunks(files: Files): void {
  for (const [name, code] of files) {
    const [, imports = '', exported = ''] = STUB.exec(code) ?? []
    const [source, ...others] = imports.matchAll(SOURCE)
    if (source === undefined || others.length > 0) continue
    const [, imported = '', chunk] = source
    const nameInChunk = new Map(pairs(imported).map(([from, local]) => [local, from]))
    const members = pairs(exported).map(([local, as]) => `${as}:e.${nameInChunk.get(local)}`)
    const load = `import("${chunk}").then(e=>({${members}}))`
    files.delete(name)
    for (const [file, text] of files)
      files.set(
        file,
        text.replaceAll(`import("./${name}")`, () => load),
      )
  }
}

/** Returns the names of an import or export list, such as `a as b,c`. */
function pairs(list: string): (readonly [name: string, as: string])[] {
  return list.split(',').map((item) => {
    const [name = '', as = name] = item.trim().split(' as ')
    return [name, as]
  })
}
