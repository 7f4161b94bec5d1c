/**
 * Runs the tests of the nearest folder with one mutant after the other, and loads all modules again for each: for values that are
 * computed while a module loads. Started by `run-tests.ts`.
 */
import { createVitest } from 'vitest/node'
import type {} from './activate.ts'
import { Findings, read, write } from './log.ts'
import { nearestTests } from './packages.ts'
import { readWork } from './work.ts'

const { root, log, keys, files, tests } = readWork()
const findings = new Findings(read(log))
const vitest = await createVitest('test', {
  config: `${root}/scripts/mutation/vitest.config.ts`,
  watch: false,
  bail: 1,
})
for (const [id, key] of Object.entries(keys)) {
  if (findings.decided.has(key) || findings.survived.has(key)) continue
  write(log, { type: 'try', test: '', mutant: key })
  vitest.provide('mutant', id)
  vitest.state.filesMap.clear()
  vitest.state.errorsSet.clear()
  await vitest.start(nearestTests(files[id] as string, tests))
  const failed = vitest.state.getFiles().find(({ result }) => result?.state === 'fail')
  write(log, { type: failed ? 'killed' : 'survived', mutant: key, test: failed?.name ?? '' })
}
write(log, { type: 'file-done', file: 'static' })
await vitest.close()
