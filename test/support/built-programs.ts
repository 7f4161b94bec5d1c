import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { root } from '../../scripts/project/project.ts'

/** Packages with a program. */
export type Program = 'cli' | 'reference-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** Paths of the built programs. */
    programs: Readonly<Record<Program, string>>
  }
}

const DAY_MS = 86_400_000

/**
 * Global setup of the process tests: builds the published programs from the sources, once a run. Starting one takes a fraction of
 * the time that its sources take. A build is kept for the next run, under a hash of all that it is made of. `FORMWIRE_ENTRY=dist` takes
 * what `pnpm build` wrote instead.
 */
export async function setup(project: TestProject): Promise<void> {
  const provide = async (): Promise<void> => project.provide('programs', await builtPrograms())
  project.onTestsRerun(provide)
  await provide()
}

async function builtPrograms(): Promise<Record<Program, string>> {
  if (process.env.FORMWIRE_ENTRY === 'dist') {
    const bin = (program: Program): string => `${root}packages/${program}/dist/bin.js`
    return { 'reference-server': bin('reference-server'), cli: bin('cli') }
  }
  const hash = hashOfSources()
  const [server, cli] = await Promise.all([
    built('reference-server', hash, (folder) => {
      const { publishConfig, ...rest } = JSON.parse(
        readFileSync(`${root}packages/reference-server/package.json`, 'utf8'),
      )
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...rest, exports: publishConfig.exports }))
    }),
    built('cli', hash, (folder) => {
      // `formwire serve` runs the built server, too.
      const installed = join(folder, 'node_modules', '@formwire', 'reference-server')
      mkdirSync(dirname(installed), { recursive: true })
      symlinkSync(cacheOf('reference-server', hash), installed)
    }),
  ])
  return { 'reference-server': `${server}/dist/bin.js`, cli: `${cli}/dist/bin.js` }
}

/** Below the package, so that its dependencies are found. */
const cacheOf = (program: Program, hash: string): string =>
  `${root}packages/${program}/node_modules/.cache/built/${hash}`

/** Builds a program unless it is there, and returns its folder. `finish` adds files before others can see it. */
async function built(program: Program, hash: string, finish: (folder: string) => void): Promise<string> {
  const kept = cacheOf(program, hash)
  if (existsSync(kept)) return kept
  mkdirSync(dirname(kept), { recursive: true })
  removeOld(dirname(kept))
  const folder = mkdtempSync(`${kept}-`)
  await promisify(execFile)(
    process.execPath,
    [
      `${root}node_modules/tsup/dist/cli-default.js`,
      '--out-dir',
      join(folder, 'dist'),
      '--no-dts',
      '--no-sourcemap',
      '--silent',
    ],
    { cwd: `${root}packages/${program}` },
  )
  finish(folder)
  try {
    renameSync(folder, kept)
  } catch (error) {
    // Another run of the tests was faster.
    if (!existsSync(kept)) throw error
    rmSync(folder, { recursive: true })
  }
  return kept
}

/** Removes the builds of earlier days. A later one may be in use by another run. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (Date.now() - statSync(join(folder, name)).mtimeMs > DAY_MS)
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** Returns a hash of the sources of all packages, of what builds them, and of the versions of what they depend on. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    hash
      .update(`${path}\0`)
      .update(readFileSync(root + path))
      .update('\0')
  }
  const addFolder = (folder: string): void => {
    for (const entry of readdirSync(root + folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
      .sort())
      add(entry)
  }
  add('pnpm-lock.yaml')
  add('tsconfig.json')
  for (const name of readdirSync(`${root}scripts`).filter((name) => /^(?:tsup|.*-plugin).*\.ts$/.test(name)))
    add(`scripts/${name}`)
  for (const name of readdirSync(`${root}packages`)) {
    for (const file of readdirSync(`${root}packages/${name}`).filter((file) => /\.(?:ts|json)$/.test(file)))
      add(`packages/${name}/${file}`)
    addFolder(`packages/${name}/src`)
  }
  // What `formwire mcp` reads.
  addFolder('packages/cli/scripts')
  addFolder('skills')
  addFolder('scripts/docs')
  for (const page of readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).sort())
    if (/^(?!\.).*\.md$/.test(page)) add(`docs/${page}`)
  for (const page of ['SECURITY.md', ...readmes()]) add(page)
  return hash.digest('hex').slice(0, 16)
}

const readmes = (): string[] =>
  readdirSync(`${root}packages`)
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(root + path))
