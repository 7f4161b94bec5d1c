import { expect, it } from 'vitest'
import { isCi } from '../../src/output/output.ts'

it.each([
  [{}, false],
  [{ CI: 'true' }, true],
  [{ CI: '' }, true],
  [{ CI: '0' }, false],
  [{ CI: 'false' }, false],
  [{ CI: 'false', CONTINUOUS_INTEGRATION: '1' }, true],
])('tells continuous integration by %o: %s', (env, expected) => {
  expect(isCi(env)).toBe(expected)
})
