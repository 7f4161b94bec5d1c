import { afterEach, expect, inject } from 'vitest'
import { refusedPrograms, useKind } from './child-processes.ts'
import type { TestKind } from './programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Kind of the test file, which decides what it may start. */
    kind: TestKind
  }
}

useKind(inject('kind'))

/** Setup of every test file: a test that tried to start a program which its kind does not name fails, on every machine. */
afterEach(() => {
  expect(refusedPrograms.splice(0), 'programs that the kind of the test file does not name').toEqual([])
})
