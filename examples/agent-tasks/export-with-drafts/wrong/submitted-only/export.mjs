import { renameSync, writeFileSync } from 'node:fs'
import { Formwire } from '@formwire/sdk'

const [form, file] = process.argv.slice(2)
const formwire = new Formwire()

const lines = []
for (const status of ['submitted']) {
  for await (const response of formwire.responses.list(form, { status, per_page: 100 })) {
    const answers = Object.fromEntries(response.answers.map(({ question_id, text }) => [question_id, text]))
    lines.push(
      `${JSON.stringify({ id: response.id, status, submitted_at: response.submitted_at, answers })}\n`,
    )
  }
}

writeFileSync(`${file}.new`, lines.join(''))
renameSync(`${file}.new`, file)
