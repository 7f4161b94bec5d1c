/**
 * Installs the packed SDK and webhook-verify like a user and runs them, as ESM and CommonJS, on every supported Node;
 * webhook-verify also on Deno, Bun, workerd, and in a browser. Requires a build and Chromium. The runtimes are installed
 * from npm (such as `node@22`), so that one machine can run all of them.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInBrowser } from './packed-smoke-support/browser.ts'
import { install, run } from './packed-smoke-support/run.ts'
import { installNodes, installOthers, type Runtime } from './packed-smoke-support/runtimes.ts'
import { runOnWorkerd } from './packed-smoke-support/workerd.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const smoke = fileURLToPath(new URL('./packed-smoke/', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))

/** Creates a folder with the tarballs installed and the smoke scripts copied. */
async function installApp(): Promise<string> {
  const tarballs = ['contract', 'sdk', 'webhook-verify'].map((name) => ({
    name,
    tarball: join(work, `${name}.tgz`),
  }))
  for (const { name, tarball } of tarballs) {
    // Unlike npm, pnpm applies publishConfig and replaces workspace versions when packing.
    await run('npx', ['-y', 'pnpm@12', 'pack', '--out', tarball], join(root, 'packages', name))
  }
  const peers = ['undici@7', 'zod@4', 'redis@6']
  const app = await install(work, 'app', [...tarballs.map(({ tarball }) => tarball), ...peers])
  cpSync(smoke, app, { recursive: true })
  cpSync(join(root, 'packages/contract/vectors'), app, { recursive: true })
  return app
}

async function runScripts({ name, command, args, nodeMajor }: Runtime, app: string): Promise<void> {
  const sdk = nodeMajor === undefined ? [] : ['smoke.mjs', 'smoke.cjs']
  for (const file of [...sdk, 'webhook.mjs', 'webhook.cjs']) {
    await run(command, [...args, file, String(nodeMajor)], app)
    console.log(`${name}: ${file} passed`)
  }
}

try {
  const [app, nodes, { scripted, workerd }] = await Promise.all([
    installApp(),
    installNodes(work),
    installOthers(work),
  ])
  for (const runtime of [...nodes, ...scripted]) await runScripts(runtime, app)
  await runOnWorkerd(workerd, app)
  console.log('Workers: webhook-worker.mjs passed')
  await runInBrowser(app, join(work, 'browser'))
  console.log('Chromium: webhook-browser.html passed')
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
