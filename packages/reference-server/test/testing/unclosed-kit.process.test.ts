import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, it } from 'vitest'
import { TEST_TIMEOUT_MS, WAIT_MS } from '../../../../test/support/patience.ts'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'

const folder = temporaryDirectory()
const kit = pathToFileURL(join(inject('programs')['reference-server'], '../testing/index.js')).href
const jest = createRequire(new URL('../../../../examples/jest/package.json', import.meta.url)).resolve(
  'jest/bin/jest',
)

/** Runs a module with the built test kit. One that does not end by itself is killed, and fails the test. */
async function run(name: string, code: string, ...before: string[]) {
  const path = join(folder, name)
  writeFileSync(path, `import { makeQuestion, startFormwire } from ${JSON.stringify(kit)}\n${code}`)
  const { child, finished } = start([...before, path], { HOME: folder }, '')
  const limit = setTimeout(() => child.kill('SIGKILL'), WAIT_MS)
  const { code: exitCode, signal, stdout, stderr } = await finished
  clearTimeout(limit)
  return { exitCode, signal, stdout, stderr }
}

/** Starts a kit with a form that delivers to the receiver. */
const deliver = `
const form = kit.server.app.forms.create({ title: 'F', questions: [makeQuestion('nps')] })
kit.server.app.forms.publish(form.id)
await kit.connectReceiver(form.id)
const submit = () => kit.server.app.responses.create(form.id, { deliver: true })`

it.each([
  ['that only starts', 'const kit = await startFormwire()'],
  [
    'whose receiver has deliveries, a slow one, and an open receiver of the control API',
    `const kit = await startFormwire({ seed: 'demo', listen: true })${deliver}
kit.receiver.respond('slow(999999)', 'hang-body', 'timeout', 'drip')
for (let count = 0; count < 4; count += 1) submit()
await kit.receiver.waitFor(4, { timeoutMs: ${WAIT_MS} })
await fetch(kit.clientOptions.baseUrl + '/_app/receivers', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + kit.server.adminToken },
  body: '{}',
})
const fork = await kit.fork()
await fork.server.clock.advance('1m')`,
  ],
])('lets a script end %s', async (_what, code) => {
  expect(await run('plain.mjs', [code, `console.log('end')`].join('\n'))).toEqual({
    exitCode: 0,
    signal: null,
    stdout: 'end\n',
    stderr: '',
  })
})

it.each([
  [
    'clock.advance',
    `kit.receiver.respond('500', 'slow(300)')\nsubmit()\nawait kit.server.clock.advance('1m')`,
  ],
  [
    'waitForDelivery',
    `kit.receiver.respond('slow(300)')\nsubmit()\nawait kit.waitForDelivery({ status: 'delivered' })`,
  ],
  ['receiver.waitFor', 'setImmediate(submit)\nawait kit.receiver.waitFor(1)'],
  [
    'a request in process',
    `kit.server.app.faults.add({ delay_ms: 300, drip_ms: 30 })
const { apiKey, fetch } = kit.clientOptions
await (await fetch('http://formwire.test/api/v1/me', { headers: { authorization: 'Bearer ' + apiKey } })).json()`,
  ],
])('keeps a script alive during %s', async (_what, code) => {
  const { exitCode, stdout } = await run(
    'waits.mjs',
    [`const kit = await startFormwire()${deliver}`, code, `console.log('after')`].join('\n'),
  )
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'after\n' })
})

/** The assertion fails before the kit is closed. */
const failing = `test('fails', async () => {
  const kit = await startFormwire({ listen: true })${deliver}
  submit()
  await kit.waitForDelivery({ status: 'delivered' })
  assert.equal(1, 2)
  await kit.close()
})`

it('lets node --test end after an assertion that fails before the kit is closed', async () => {
  const code = `import assert from 'node:assert'\nimport { test } from 'node:test'\n${failing}`
  const { exitCode, stdout } = await run('fails.test.mjs', code, '--test', '--test-reporter=tap')
  expect(exitCode).toBe(1)
  expect(stdout).toContain('# fail 1')
})

it(
  'lets Jest end after an assertion that fails before the kit is closed',
  async () => {
    writeFileSync(
      join(folder, 'package.json'),
      '{ "jest": { "transform": {}, "testMatch": ["**/*.spec.mjs"] } }',
    )
    const code = `import assert from 'node:assert'\n${failing}`
    const { exitCode, stderr } = await run(
      'fails.spec.mjs',
      code,
      '--experimental-vm-modules',
      jest,
      '--ci',
      '--no-cache',
      `--rootDir=${folder}`,
    )
    expect(stderr).toMatch(/Tests: +1 failed, 1 total/)
    expect(exitCode).toBe(1)
  },
  TEST_TIMEOUT_MS,
)
