import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const questions = [{ id: 'stars', type: 'rating', title: 'How was it?' }]
const validate = 'throw'

/** What the packed reference server must do: deliver in process, appear behind msw, generate data, and run as a program. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const main = await load('@formwire/reference-server')
  const testing = await load('@formwire/reference-server/testing')
  const conformance = await load('@formwire/reference-server/conformance')
  const msw = await load('@formwire/reference-server/msw')
  const { setupServer } = await load('msw/node')
  const kit = await testing.startFormwire()
  try {
    const form = kit.server.app.forms.create({ title: 'Feedback', questions })
    kit.server.app.forms.publish(form.id)
    await kit.connectReceiver(form.id)
    kit.server.app.responses.create(form.id, { answers: [{ question_id: 'stars', value: 5 }], deliver: true })
    assert.equal((await kit.waitForDelivery({ status: 'delivered' })).status, 'delivered')
    const formwire = new sdk.Formwire({ ...kit.clientOptions, validate })
    assert.equal((await formwire.responses.list(form.id)).data.length, 1)
  } finally {
    await kit.close()
  }
  const make = await testing.createSeedFactory(3)
  const server = main.createReferenceServer({ seed: make.seed(make.form({ responses: 3 })) })
  await server.ready
  const behindMsw = setupServer(...msw.handlers(server, { baseUrl: 'https://forms.example.com' }))
  behindMsw.listen()
  try {
    const options = { apiKey: server.writeKey, baseUrl: 'https://forms.example.com', validate }
    const [form] = (await new sdk.Formwire(options).forms.list()).data
    assert.equal(form.response_count, 3)
  } finally {
    behindMsw.close()
    await server.close()
  }
  assert.equal(typeof conformance.runConformance, 'function')
  await checkConsole(main)
  await checkProgram(sdk)
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

/** Starts `formwire-server`, asks it, and ends it with SIGTERM. */
async function checkProgram(sdk) {
  const { resolve } = createRequire(import.meta.url)
  const bin = join(dirname(resolve('@formwire/reference-server/package.json')), 'dist/bin.js')
  const child = spawn(process.execPath, [bin, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, read_key } = JSON.parse(await firstLine(child.stdout))
    const formwire = new sdk.Formwire({ apiKey: read_key, baseUrl: url })
    assert.ok((await formwire.forms.list()).data.length > 0)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  } finally {
    child.kill('SIGKILL')
  }
}

/** The first line of a stream. @throws if it ends before. */
async function firstLine(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  throw new Error(`formwire-server ended without a line: ${text}`)
}
