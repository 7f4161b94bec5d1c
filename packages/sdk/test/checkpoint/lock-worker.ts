/** Takes the lock, prints a line, and holds the lock until the test kills it. */
import { fileCheckpoint } from '../../src/checkpoint/file.ts'

await fileCheckpoint(process.argv[2] as string).acquire?.('form')
process.stdout.write('held\n')
setInterval(() => {}, 1000)
