/**
 * Runs the named benchmarks one after another, each in its own process. Without names, runs all except the soak. Some need
 * a build first; see the first lines of each file.
 *
 *     npx -y pnpm@12 bench [name...]
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()
/** All except the soak, which takes up to 30 minutes. */
const short = known.filter((name) => name !== 'soak')

/** Runs one benchmark in this terminal and resolves to its exit code. */
function run(name: string): Promise<number> {
  // Some benchmarks measure memory after a garbage collection, and 1,000,000 responses need some 2 GB.
  const flags = [
    '--expose-gc',
    '--max-old-space-size=9000',
    '--conditions=@formwire/source',
    '--import',
    'tsx',
  ]
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [...flags, `${folder}${name}.ts`], { stdio: 'inherit' })
      .once('error', reject)
      .once('close', (code, signal) => {
        if (signal) console.error(`${name} was terminated by ${signal}.`)
        resolve(code ?? 1)
      })
  })
}

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${known.join(', ')}.`)
  process.exitCode = 2
} else {
  for (const name of requested.length > 0 ? requested : short) {
    console.log(`\n# ${name}\n`)
    const code = await run(name)
    if (code !== 0) process.exitCode = code
  }
}
