import { join } from 'node:path'
import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { follow } from './follow.ts'
import { saveResponse } from './save-response.ts'

const [formId, folder = '.'] = process.argv.slice(2)
if (!formId)
  throw new Error(
    'Usage: npx -y pnpm@12 start FORM_ID [FOLDER], with FORMWIRE_API_KEY and FORMWIRE_BASE_URL set.',
  )

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

await follow({
  formwire: new Formwire(),
  formId,
  checkpoint: fileCheckpoint(join(folder, 'checkpoints')),
  handle: async (response) => {
    await saveResponse(folder, response)
    const { id, submitted_at, answers } = response
    console.log(id, submitted_at, answers.map(({ text }) => text).join(' | '))
  },
  signal: stop.signal,
  intervalMs: Number(process.env.INTERVAL_MS ?? 5000),
})
