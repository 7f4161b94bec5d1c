/**
 * Runs benchmarks one after the other, each in a process of its own: all of them, or those that are named. Some need a
 * build first; each says so in its first lines.
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

/** The exit code of one benchmark; its output is the terminal's. */
function run(name: string): Promise<number> {
  // The flags that some of them count on: memory is read after a collection, and a million responses take some 2 GB.
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
        if (signal) console.error(`${name} was ended by ${signal}.`)
        resolve(code ?? 1)
      })
  })
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Known: ${known.join(', ')}.`)
  process.exitCode = 2
} else {
  for (const name of asked.length > 0 ? asked : known) {
    console.log(`\n# ${name}\n`)
    const code = await run(name)
    if (code !== 0) process.exitCode = code
  }
}
