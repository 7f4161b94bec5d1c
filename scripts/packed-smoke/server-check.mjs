import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { check as checkAlone } from './alone-check.mjs'

/** What the packed reference server must do: appear behind msw, generate data, run as a program, and what it does without any peer. Tutorials do more with it. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const main = await load('@formwire/reference-server')
  const testing = await load('@formwire/reference-server/testing')
  const conformance = await load('@formwire/reference-server/conformance')
  const msw = await load('@formwire/reference-server/msw')
  const { setupServer } = await load('msw/node')
  const make = await testing.createSeedFactory(3)
  const server = main.createReferenceServer({ seed: make.seed(make.form({ responses: 3 })) })
  await server.ready
  const behindMsw = setupServer(...msw.handlers(server, { baseUrl: 'https://forms.example.com' }))
  behindMsw.listen()
  try {
    const options = { apiKey: server.writeKey, baseUrl: 'https://forms.example.com', validate: 'throw' }
    const [form] = (await new sdk.Formwire(options).forms.list()).data
    assert.equal(form.response_count, 3)
  } finally {
    behindMsw.close()
    await server.close()
  }
  assert.equal(typeof conformance.runConformance, 'function')
  await checkConsole(main)
  const { resolve } = createRequire(import.meta.url)
  const bin = join(dirname(resolve('@formwire/reference-server/package.json')), 'dist/bin.js')
  assert.match(execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/)
  // The last one, since the process must end after it.
  await checkAlone(load)
}

/** Asks for the script of the console and for each one that it imports. */
async function checkConsole({ createReferenceServer }) {
  const server = createReferenceServer()
  const names = new Set(['console.js'])
  for (const name of names) {
    const response = await server.fetch(`http://formwire.test/_app/console/${name}`)
    assert.equal(response.status, 200, name)
    const imported = (await response.text()).matchAll(/(?:from|import\(|import)\s*"\.\/([^"]+)"/g)
    for (const [, next] of imported) names.add(next)
  }
  assert.ok(names.size > 1)
  await server.close()
}
