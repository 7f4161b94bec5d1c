/**
 * Preloaded into a process with `--expose-gc`: on SIGUSR2 it collects garbage and writes the bytes still in use to the file in
 * HEAP_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  // Objects with finalizers need a second collection.
  for (let round = 0; round < 3; round += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const file = process.env.HEAP_FILE
  writeFileSync(`${file}.tmp`, String(heapUsed + external))
  renameSync(`${file}.tmp`, file)
})
