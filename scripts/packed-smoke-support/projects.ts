import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../project/project.ts'
import type { Tarballs } from '../project/tarballs.ts'
import { runInstall } from './run.ts'

/** Package managers, as npm runs them. */
const INSTALL = {
  npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
  pnpm: ['npx', '-y', 'pnpm@12', 'install', '--prefer-offline', '--no-frozen-lockfile'],
  // Yarn itself may run on an older Node than the project will.
  yarn: ['npx', '-y', 'yarn@1.22.22', 'install', '--prefer-offline', '--no-lockfile', '--ignore-engines'],
}

/** A package manager that projects are installed with. */
type Manager = keyof typeof INSTALL

/** A project to install. */
export interface Project {
  name: string
  /** @default 'npm' */
  manager?: Manager
  /** Public packages without their scope. The packages that they depend on must be named too. */
  packages: string[]
  /** How many of them the project itself depends on, the first; the others are there for these. @default all */
  direct?: number
  /** Other packages with their version. */
  others?: Record<string, string>
  /** Other packages that are installed first, as in an existing project. */
  existing?: Record<string, string>
  /** More arguments of the package manager's install. */
  flags?: string[]
}

/** Installs a project into a new folder, with the smoke scripts. @returns the folder. */
export async function installProject(work: string, project: Project, tarballs: Tarballs): Promise<string> {
  const { name, manager = 'npm', packages, direct, others = {}, existing, flags = [] } = project
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'scripts/packed-smoke'), folder, { recursive: true })
  cpSync(join(root, 'packages/contract/vectors'), folder, { recursive: true })
  const [command = '', ...args] = INSTALL[manager]
  // Yarn takes a tarball from its cache by name and version, and ours have the same version in every run.
  if (manager === 'yarn') args.push('--cache-folder', join(work, 'yarn-cache'))
  if (existing) {
    writeManifest(folder, existing, {})
    await runInstall(command, args, folder)
  }
  const ours = Object.fromEntries(
    packages.map((short) => {
      const tarball = tarballs[short]
      if (!tarball) throw new Error(`packages/${short} was not packed`)
      return [`@formwire/${short}`, `file:${tarball}`]
    }),
  )
  const named = Object.fromEntries(Object.entries(ours).slice(0, direct))
  writeManifest(folder, { ...existing, ...others, ...named }, ours)
  await runInstall(command, [...args, ...flags], folder)
  return folder
}

/** Installs packages from npm into a new folder. @returns the folder. */
export async function installTools(work: string, name: string, packages: string[]): Promise<string> {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const [command = '', ...args] = INSTALL.npm
  await runInstall(command, [...args, ...packages], folder)
  return folder
}

/** Writes a package.json. pnpm and yarn need the tarballs for the dependencies of our packages too, which are not published. */
function writeManifest(
  folder: string,
  dependencies: Record<string, string>,
  ours: Record<string, string>,
): void {
  const manifest = { name: 'app', version: '1.0.0', private: true, dependencies, resolutions: ours }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const overrides = Object.entries(ours).map(([name, version]) => `  '${name}': ${version}`)
  const lines = ['packages: [.]', 'allowBuilds:', '  msw: false']
  if (overrides.length > 0) lines.push('overrides:', ...overrides)
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), `${lines.join('\n')}\n`)
}
