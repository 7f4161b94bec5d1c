/**
 * Runs the named benchmarks one after another, each in its own process. Without names, runs all. Some need a build first;
 * see the first lines of each file.
 *
 *     npx -y pnpm@12 bench [name...]
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${known.join(', ')}.`)
  process.exit(2)
}
// Some benchmarks measure memory after a garbage collection, and 1,000,000 responses need some 2 GB.
const flags = ['--expose-gc', '--max-old-space-size=9000', '--conditions=@formwire/source', '--import', 'tsx']
for (const name of requested.length > 0 ? requested : known) {
  console.log(`\n# ${name}\n`)
  const script = `${import.meta.dirname}/${name}.ts`
  const { status } = spawnSync(process.execPath, [...flags, script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}
