/**
 * Installs the packed packages like a user and runs them. Not every combination: each version of Node, package manager, module
 * format and version of a peer occurs in at least one project, the oldest versions together and the newest together.
 *
 * | project | manager | Node | beside |
 * |---|---|---|---|
 * | oldest | npm | 20 | the oldest peers, installed before |
 * | newest | npm | 24, 26 | the newest peers, installed before |
 * | strict | pnpm | 22 | undici 7, zod 4, redis 5, msw 2 |
 * | older-zod | npm | 20 | undici 6, zod 3.22 and redis 4, installed before; no other peer |
 * | bare | npm | 20 | nothing |
 * | empty-yarn | yarn | 22 | nothing |
 *
 * All but the last three also have @opentelemetry/api. Besides: `sizes` (also of the CLI without its optional dependency), `types`
 * (TypeScript 5.4 and the newest, without skipLibCheck), `declarations` (a project that emits those of all exports), `tutorials` (each page of
 * docs/tutorials, with npm and a registry of the tarballs), `skills`, `readme` (README.md), `recipes` (each recipe of two
 * how-to pages), `jest` (without a flag, and with its fake timers), and `elsewhere` (webhook-verify on Deno, Bun, workerd, and in a browser; the reference
 * server on Bun). Arguments select some of them. Requires a build and Chromium. The runtimes are installed from npm (such as
 * `node@22`), so that one machine can run all of them.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInBrowser } from './packed-smoke-support/browser.ts'
import { checkDeclarations } from './packed-smoke-support/declarations.ts'
import { follow } from './packed-smoke-support/follow.ts'
import { inParallel } from './packed-smoke-support/in-parallel.ts'
import { type Recipe, readme, recipes, skills, tutorials } from './packed-smoke-support/pages.ts'
import { installProject, type Project } from './packed-smoke-support/projects.ts'
import { type Registry, startRegistry } from './packed-smoke-support/registry.ts'
import { run } from './packed-smoke-support/run.ts'
import { installNodes, installOthers } from './packed-smoke-support/runtimes.ts'
import { checkSize } from './packed-smoke-support/sizes.ts'
import { checkTypes } from './packed-smoke-support/types.ts'
import { runOnWorkerd } from './packed-smoke-support/workerd.ts'
import { pack, type Tarballs } from './project/tarballs.ts'

const work = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))

const ALL = ['contract', 'sdk', 'webhook-verify', 'sync', 'reference-server', 'cli']
/** Runs a check with each module format of the packages. */
const inBothFormats = (check: string): string[][] => [
  ['esm.mjs', check],
  ['commonjs.cjs', check],
]
const WEBHOOK_SCRIPTS = inBothFormats('webhook-node-check.mjs')

interface Plan extends Project {
  /** Node's majors. */
  nodes: number[]
  /** Scripts with their arguments. */
  scripts: string[][]
}

const scripts = [
  ...['sdk-check.mjs', 'sync-check.mjs', 'server-check.mjs'].flatMap(inBothFormats),
  ...WEBHOOK_SCRIPTS,
  ['both-builds.mjs'],
  ['cli.mjs'],
]
/** What works in an empty project. */
const aloneScripts = [...inBothFormats('alone-check.mjs'), ...WEBHOOK_SCRIPTS, ['cli.mjs']]

const PLANS: Plan[] = [
  {
    name: 'oldest',
    packages: ALL,
    existing: {
      undici: '7.0.0',
      zod: '3.25.1',
      redis: '5.0.0',
      msw: '2.15.0',
      libsql: '0.5.29',
      '@opentelemetry/api': '1.9.0',
    },
    nodes: [20],
    scripts,
  },
  {
    name: 'newest',
    packages: ALL,
    existing: { undici: '^8', zod: '^4', redis: '^6', msw: '^3', '@opentelemetry/api': '^1' },
    nodes: [24, 26],
    scripts,
  },
  {
    name: 'strict',
    manager: 'pnpm',
    packages: ALL,
    others: { undici: '^7', zod: '^4', redis: '^5', msw: '^2.15', '@opentelemetry/api': '^1' },
    nodes: [22],
    scripts,
  },
  {
    name: 'older-zod',
    packages: ['contract', 'sdk', 'reference-server'],
    existing: { undici: '^6', zod: '3.22.4', redis: '^4' },
    nodes: [20],
    scripts: [['peers.mjs', 'old', 'old', 'missing']],
  },
  {
    name: 'bare',
    packages: ['contract', 'sdk', 'webhook-verify', 'sync'],
    nodes: [20],
    scripts: [['peers.mjs', 'missing', 'missing'], ['sync-missing.mjs'], ['edge.mjs'], ...WEBHOOK_SCRIPTS],
  },
  { name: 'empty-yarn', manager: 'yarn', packages: ALL, nodes: [22], scripts: aloneScripts },
]

async function runPlan(plan: Plan, tarballs: Tarballs, nodes: Map<number, Promise<string>>): Promise<void> {
  const folder = await installProject(work, plan, tarballs)
  for (const major of plan.nodes) {
    const command = (await nodes.get(major)) as string
    assert.equal((await run(command, ['-p', 'process.versions.node'], folder)).split('.')[0], String(major))
    for (const script of plan.scripts) await run(command, script, folder)
    const names = plan.scripts.map((script) => script.join(' '))
    console.log(`${plan.name} (${plan.manager ?? 'npm'}, Node ${major}): ${names.join(', ')} passed`)
  }
}

/** Checks the sizes that bench/README.md states. */
async function checkSizes(tarballs: Tarballs): Promise<void> {
  const size = (name: string, packages: string[], ...flags: string[]) =>
    installProject(work, { name: `size-${name}`, packages, flags }, tarballs)
  checkSize('@formwire/sdk', await size('sdk', ['contract', 'sdk']), { megabytes: 2, packages: 2 })
  checkSize('@formwire/webhook-verify', await size('verify', ['webhook-verify']), {
    megabytes: 2,
    packages: 1,
  })
  const cli = ['contract', 'reference-server', 'cli']
  checkSize('@formwire/cli', await size('cli', cli), { megabytes: 40, packages: 12 })
  const small = await size('cli-small', cli, '--omit=optional')
  checkSize('@formwire/cli --omit=optional', small, { megabytes: 16.5, packages: 5 })
  await run(process.execPath, ['cli.mjs'], small)
}

/** Runs the CommonJS packages in Jest without a flag. The pages about test runners have recipes for the others. */
async function runJest(tarballs: Tarballs): Promise<void> {
  const project = {
    name: 'jest',
    packages: ['contract', 'sdk', 'webhook-verify', 'reference-server', 'sync'],
    others: { jest: '^30', undici: '^7', zod: '^4', pg: '^8', libsql: '^0.5' },
  }
  const app = await installProject(work, project, tarballs)
  const args = ['--testMatch=**/jest.spec.cjs', '--testTimeout=60000']
  await run(process.execPath, ['node_modules/jest/bin/jest.js', ...args], app)
  console.log('Jest without a flag: passed')
}

/** Runs webhook-verify on the runtimes that are not Node, and the reference server on Bun. */
async function runElsewhere(tarballs: Tarballs): Promise<void> {
  const { scripted, workerd } = await installOthers(work)
  const project = {
    name: 'elsewhere',
    packages: ['contract', 'webhook-verify', 'reference-server'],
  }
  const app = await installProject(work, project, tarballs)
  for (const { name, command, args } of scripted) {
    for (const script of WEBHOOK_SCRIPTS) await run(command, [...args, ...script], app)
    console.log(`${name}: ${WEBHOOK_SCRIPTS.map((script) => script.join(' ')).join(', ')} passed`)
    if (name !== 'Bun') continue
    await run(command, [...args, 'deliver.mjs'], app)
    console.log(`${name}: deliver.mjs passed`)
  }
  await runOnWorkerd(workerd, app)
  console.log('Workers: webhook-worker.mjs passed')
  await runInBrowser(app)
  console.log('Chromium: webhook-browser.html passed')
}

type Task = [name: string, run: () => Promise<unknown>]

/** Names of what to run; all of it by default. */
const chosen = process.argv.slice(2)
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name)

let registry: Registry | undefined
try {
  const nodes = installNodes(work)
  const tarballs = await pack(work)
  registry = await startRegistry(tarballs)
  const packages = registry
  const following =
    (name: string) =>
    (recipe: Recipe): Task => [name, () => follow(recipe, work, packages)]
  // What takes longest comes first.
  const tasks: Task[] = [
    ...tutorials().map(following('tutorials')),
    ...PLANS.map((plan): Task => [plan.name, () => runPlan(plan, tarballs, nodes)]),
    ['sizes', () => checkSizes(tarballs)],
    ['types', () => checkTypes(work, tarballs)],
    ['declarations', () => checkDeclarations(work, tarballs)],
    ['elsewhere', () => runElsewhere(tarballs)],
    ['jest', () => runJest(tarballs)],
    ...skills().map(following('skills')),
    following('readme')(readme(tarballs)),
    ...recipes().map(following('recipes')),
  ]
  const timed = async ([name, task]: Task): Promise<void> => {
    const from = performance.now()
    await task()
    console.log(`${name} took ${Math.round((performance.now() - from) / 1000)} s`)
  }
  await inParallel(tasks.filter(([name]) => isChosen(name)).map((task) => () => timed(task)))
} finally {
  registry?.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
