import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

/** Runs the packed CLI, installed without its optional dependencies. */
const formwire = (...args) =>
  spawnSync(process.execPath, ['node_modules/@formwire/cli/dist/bin.js', ...args], {
    encoding: 'utf8',
    env: { ...process.env, FORMWIRE_API_KEY: `svc_${'a'.repeat(40)}` },
  })

assert.equal(formwire('--version').status, 0)
const sync = formwire('sync', '--all', '--to', 'sqlite:x.db', '--once', '--base-url', 'http://127.0.0.1:9')
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 13)) {
  // node:sqlite; nothing listens there.
  assert.equal(sync.status, 6)
} else {
  assert.equal(sync.status, 1)
  assert.match(sync.stderr, /requires the package libsql: npm install libsql@/)
}
