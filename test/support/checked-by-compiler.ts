import { expect } from 'vitest'

/**
 * Counts as the assertion of a test whose statements only the compiler checks (`expectTypeOf`, `pnpm types`): at run time
 * they do nothing. A test without any assertion fails.
 */
export const checkedByCompiler = (): void => expect(true).toBe(true)
