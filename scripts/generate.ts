/**
 * Writes every generated file of the repository. `--check` changes nothing and fails when one of them is out of date.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './project/project.ts'

const bin = (name: string): string => `${root}node_modules/.bin/${name}`

/** Scripts and the files that they write, in order: a later one may read what an earlier one wrote. */
const GENERATED: readonly (readonly [script: string, ...files: string[]])[] = [
  ['packages/contract/scripts/verification-vectors.py', 'packages/contract/vectors/webhooks.json'],
  [
    'packages/contract/scripts/write-openapi.ts',
    'packages/contract/openapi.json',
    'packages/contract/control.openapi.json',
  ],
  [
    'packages/reference-server/scripts/subset-fonts.ts',
    'packages/reference-server/src/fonts/names.ts',
    'packages/reference-server/src/fonts/inter.woff2',
    'packages/reference-server/src/fonts/inter-digits.woff2',
    'packages/reference-server/src/fonts/jetbrains-mono.woff2',
  ],
  ['packages/sdk/scripts/write-version.ts', 'packages/sdk/src/version.ts'],
]

function run(program: string, args: readonly string[], cwd = root): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

// Latin-1 keeps the bytes of any file.
const problems: string[] = []
const check = process.argv.includes('--check')
for (const [script, ...files] of GENERATED) {
  const before = files.map((file) => readFileSync(root + file, 'latin1'))
  const folder = script.startsWith('packages/') ? root + script.split('/').slice(0, 2).join('/') : root
  const path = relative(folder, root + script)
  if (script.endsWith('.py')) run('python3', [path], folder)
  else run(bin('tsx'), ['--conditions=@formwire/source', path], folder)
  for (const [index, file] of files.entries()) {
    if (/\.tsx?$/.test(file)) run(bin('biome'), ['format', '--write', file])
    const text = before[index] as string
    if (!check || readFileSync(root + file, 'latin1') === text) continue
    writeFileSync(root + file, text, 'latin1')
    problems.push(`${file} is out of date; run "npx -y pnpm@12 generate"`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
