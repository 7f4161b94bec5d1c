import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Creates an empty directory that is removed at the end of the run. No hook removes it: test files share this module. */
export const temporaryDirectory = (): string => mkdtempSync(join(inject('scratch'), 'files-'))
