import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { append, lines, pathOf } from '../support/files.ts'

const handled = new Set(lines('handled.txt').map(Number))
const formwire = new Formwire({ rateLimit: false })
const responses = formwire.responses.poll(process.env.FORMWIRE_FORM_ID ?? '', {
  checkpoint: fileCheckpoint(pathOf('checkpoints')),
  intervalMs: 50,
})
// After a kill, the responses behind the checkpoint come again.
for await (const { id } of responses) {
  if (!handled.has(id)) append('handled.txt', id)
  handled.add(id)
}
