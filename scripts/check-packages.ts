/**
 * Packs every package as it would be published, runs publint and attw on the tarballs, and checks the relative links of their pages and the
 * source maps. Requires a build.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { LICENSES_FILE } from './bundled-licenses-plugin.ts'
import { targetsOf } from './docs/markdown.ts'
import { PACKAGE_SKILLS } from './project/package-skills.ts'
import { fieldsOf, type Manifest, PUBLISHED, root } from './project/project.ts'
import { pack } from './project/tarballs.ts'

const binDir = join(root, 'node_modules/.bin')
const work = mkdtempSync(join(tmpdir(), 'formwire-pack-'))

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed with ${status} in ${cwd}`)
}

const linesOf = (command: string, args: string[]): string[] =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Packages that bundle others, whose licenses ask for a copy. */
const BUNDLING: readonly string[] = ['cli', 'reference-server']

/** The files of a tarball. */
interface Files {
  /** Paths, with `/` and without `package/`. */
  readonly paths: ReadonlySet<string>
  read(path: string): string
}

const filesOf = (tarball: string): Files => ({
  paths: new Set(linesOf('tar', ['-tzf', tarball]).map((path) => path.replace(/^package\//, ''))),
  read: (path) => execFileSync('tar', ['-xzOf', tarball, `package/${path}`], { encoding: 'utf8' }),
})

/** Returns what is wrong with the pages and the addresses of a tarball. */
function problemsOf(name: string, tarball: Files): string[] {
  const manifest = JSON.parse(tarball.read('package.json')) as Manifest
  const fields = Object.entries(fieldsOf(name)).flatMap(([field, value]) =>
    isDeepStrictEqual(manifest[field], value)
      ? []
      : [`package.json: "${field}" differs from that of the repository`],
  )
  const missing = ['README.md', 'LICENSE', ...(BUNDLING.includes(name) ? [`dist/${LICENSES_FILE}`] : [])]
    .filter((file) => !tarball.paths.has(file))
    .map((file) => `${file} is missing`)
  const skill = `dist/skills/${PACKAGE_SKILLS[name]}/SKILL.md`
  const skills =
    PACKAGE_SKILLS[name] === undefined || tarball.paths.has(skill)
      ? []
      : [`${skill} is missing: build the package`]
  const changelog = manifest.files?.includes('CHANGELOG.md')
    ? []
    : ['package.json: "files" lacks CHANGELOG.md']
  const pages = [...tarball.paths].filter((path) => path.endsWith('.md'))
  // Links to the repository and to the site are checked when the site is built.
  const links = pages.flatMap((page) =>
    targetsOf(tarball.read(page))
      .filter((target) => !/^(?:[a-z]+:|#)/i.test(target))
      .map((target) => posix.join(posix.dirname(page), target.replace(/#.*/, '')))
      .filter((file) => !tarball.paths.has(file))
      .map((file) => `${page} links to ${file}, which is not in the package`),
  )
  return [...fields, ...missing, ...skills, ...changelog, ...links].map(
    (problem) => `packages/${name}: ${problem}`,
  )
}

/** Source maps must not outweigh the code that they are for. @throws with both sizes */
function checkSourceMaps(name: string, dist: string): void {
  let [maps, code] = [0, 0]
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const { size } = statSync(join(dist, file))
    if (file.endsWith('.map')) maps += size
    else if (/\.[cm]?js$/.test(file)) code += size
  }
  if (maps > code) throw new Error(`packages/${name}: ${maps} bytes of source maps for ${code} bytes of code`)
}

const problems: string[] = []
try {
  const tarballs = await pack(work)
  for (const name of PUBLISHED) {
    const cwd = join(root, 'packages', name)
    const tarball = tarballs[name]
    if (tarball === undefined) throw new Error(`packages/${name} was not packed`)
    problems.push(...problemsOf(name, filesOf(tarball)))
    checkSourceMaps(name, join(cwd, 'dist'))
    run(join(binDir, 'publint'), ['--strict', tarball], cwd)
    // The command line is a binary: it exports no types.
    if (name !== 'cli') run(join(binDir, 'attw'), [tarball, '--profile', 'strict'], cwd)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
