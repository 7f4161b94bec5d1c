/** Saves one state after the other, and prints the number of each once it is saved. The test kills it. */
import { fileCheckpoint } from '../../src/checkpoint/file.ts'

const store = fileCheckpoint(process.argv[2] as string, { sync: false })
const ids = Array.from({ length: 2000 }, (_, index) => index)
for (let turn = 1; ; turn += 1) {
  await store.save('form', { version: 1, since: new Date(turn).toISOString(), ids })
  process.stdout.write(`${turn}\n`)
}
