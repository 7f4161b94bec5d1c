import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Runs the packed CLI, installed without its optional dependencies. */
const formwire = (...args) =>
  new Promise((resolve) => {
    const env = { ...process.env, FORMWIRE_API_KEY: `svc_${'a'.repeat(40)}` }
    execFile(
      process.execPath,
      ['node_modules/@formwire/cli/dist/bin.js', ...args],
      { env },
      (error, _, stderr) => resolve({ status: error?.code ?? 0, stderr }),
    )
  })

// A service that accepts the key and has no form: before that, a database is not opened.
const service = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code: 'not_found', message: 'No such form.' } }))
})
service.listen(0, '127.0.0.1')
await once(service, 'listening')
const { port } = service.address()

assert.equal((await formwire('--version')).status, 0)
const to = ['--to', 'sqlite:x.db', '--once', '--base-url', `http://127.0.0.1:${port}`]
const sync = await formwire('sync', 'guestvoice01', ...to)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 13)) {
  // node:sqlite; there is no such form.
  assert.equal(sync.status, 3, sync.stderr)
} else {
  assert.equal(sync.status, 1, sync.stderr)
  assert.match(sync.stderr, /requires the package libsql: npm install libsql@/)
}
service.close()
