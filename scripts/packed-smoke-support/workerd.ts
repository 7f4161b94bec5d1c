import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

const DIST = 'node_modules/@formwire/webhook-verify/dist'

/** Runs the packed webhook-verify, unbundled, on workerd, as a workerd test. */
export async function runOnWorkerd(workerd: string, app: string): Promise<void> {
  const modules = [
    module('worker.mjs', 'esModule', 'webhook-worker.mjs'),
    module('webhook-check.mjs', 'esModule', 'webhook-check.mjs'),
    module('webhooks.json', 'json', 'webhooks.json'),
    ...readdirSync(join(app, DIST), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => module(`dist/${file}`, 'esModule', `${DIST}/${file}`)),
  ]
  const config = `using Workerd = import "/workerd/workerd.capnp";
const smoke :Workerd.Config = (services = [(name = "smoke", worker = (
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
  modules = [${modules.join(',\n')}],
))]);
`
  writeFileSync(join(app, 'smoke.capnp'), config)
  await run(workerd, ['test', 'smoke.capnp'], app)
}

function module(name: string, kind: 'esModule' | 'json', path: string): string {
  return `(name = "${name}", ${kind} = embed "${path}")`
}
