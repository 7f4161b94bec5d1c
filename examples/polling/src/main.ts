import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { follow } from './follow.ts'

const [formId] = process.argv.slice(2)
if (!formId)
  throw new Error('Usage: npx -y pnpm@12 start FORM_ID, with FORMWIRE_API_KEY and FORMWIRE_BASE_URL set.')

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

await follow({
  formwire: new Formwire(),
  formId,
  checkpoint: fileCheckpoint('./checkpoints'),
  handle: ({ id, submitted_at, answers }) =>
    console.log(id, submitted_at, answers.map(({ text }) => text).join(' | ')),
  signal: stop.signal,
})
