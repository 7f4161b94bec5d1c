import { afterEach, expect } from 'vitest'
import { refusedConnections } from './loopback.ts'

/** Setup of every test file: a test that tried to connect beyond this machine fails. */
afterEach(() => {
  expect(refusedConnections.splice(0), 'connections beyond this machine').toEqual([])
})
