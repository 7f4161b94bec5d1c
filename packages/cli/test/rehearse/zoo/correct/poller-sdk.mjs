import { join } from 'node:path'
import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { append, lines } from '../support/files.mjs'

const handled = new Set(lines('handled.txt').map(Number))
const formwire = new Formwire({ rateLimit: false })
const responses = formwire.responses.poll(process.env.FORMWIRE_FORM_ID, {
  checkpoint: fileCheckpoint(join(process.env.FORMWIRE_REHEARSAL_DIR, 'checkpoints')),
  intervalMs: 50,
})
// After a kill, the responses behind the checkpoint come again.
for await (const { id } of responses) {
  if (!handled.has(id)) append('handled.txt', id)
  handled.add(id)
}
