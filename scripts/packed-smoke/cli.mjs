import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

/** Runs the packed CLI on this Node. */
const formwire = (...args) =>
  execFileSync(process.execPath, ['node_modules/@formwire/cli/dist/bin.js', ...args], { encoding: 'utf8' })

assert.match(formwire('--version'), /^\d+\.\d+\.\d+\n$/)
assert.match(formwire('forms', '--help'), /list/)
const { createReferenceServer } = await import('@formwire/reference-server')
assert.equal(typeof createReferenceServer, 'function')
assert.match(formwire('completion', 'bash'), /formwire/)
