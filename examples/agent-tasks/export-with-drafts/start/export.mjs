import { appendFileSync, writeFileSync } from 'node:fs'
import { Formwire } from '@formwire/sdk'

const [form, file] = process.argv.slice(2)
const formwire = new Formwire()

writeFileSync(file, '')
for (const status of ['submitted', 'in_progress']) {
  for await (const { id, submitted_at } of formwire.responses.list(form, { status, per_page: 100 })) {
    appendFileSync(file, `${JSON.stringify({ id, status, submitted_at })}\n`)
  }
}
