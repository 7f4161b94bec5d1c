import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { refusedConnections } from './support/loopback.ts'

it('rejects and records a connection beyond this machine', () => {
  expect(() => connect(443, '192.0.2.1')).toThrow('Tests may connect only to this machine, not to 192.0.2.1.')
  expect(refusedConnections.splice(0)).toEqual(['192.0.2.1'])
})
