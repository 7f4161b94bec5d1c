import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'

/**
 * Fails when folders of a package import each other in a circle, because none of them can then be read, tested or moved
 * alone. A folder includes everything below it; a file directly in `src` counts as a folder.
 */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourceFiles(path)
    return /\.tsx?$/.test(name) ? [path] : []
  })
}

/** Maps each folder to the folders that it imports from, each with one import as evidence. */
function folderImports(root: string): Map<string, Map<string, string>> {
  const partOf = (path: string): string => relative(root, path).split(sep)[0] ?? ''
  const imports = new Map<string, Map<string, string>>()
  for (const file of sourceFiles(root)) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const target = normalize(join(dirname(file), specifier))
      const [from, to] = [partOf(file), partOf(target)]
      if (from === to || to === '..') continue
      const found = imports.get(from) ?? new Map<string, string>()
      imports.set(from, found.set(to, `${relative(root, file)} imports ${relative(root, target)}`))
    }
  }
  return imports
}

/** Returns a shortest circle through a folder. */
function circleThrough(start: string, imports: Map<string, Map<string, string>>): string[] | undefined {
  const queue: string[][] = [[start]]
  const seen = new Set<string>()
  for (const path of queue) {
    for (const next of imports.get(path.at(-1) as string)?.keys() ?? []) {
      if (next === start) return [...path, start]
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
}

let circles = 0
for (const name of readdirSync('packages')) {
  const imports = folderImports(join('packages', name, 'src'))
  const reported = new Set<string>()
  for (const folder of imports.keys()) {
    const circle = circleThrough(folder, imports)
    if (!circle || circle.some((part) => reported.has(part))) continue
    for (const part of circle) reported.add(part)
    circles += 1
    console.error(`packages/${name}/src: ${circle.join(' → ')}`)
    for (let i = 1; i < circle.length; i += 1) {
      console.error(`  ${imports.get(circle[i - 1] as string)?.get(circle[i] as string)}`)
    }
  }
}
if (circles > 0) {
  console.error(`\n${circles} import ${circles === 1 ? 'circle' : 'circles'} between folders.`)
  process.exitCode = 1
} else {
  console.log('No import circle between folders.')
}
