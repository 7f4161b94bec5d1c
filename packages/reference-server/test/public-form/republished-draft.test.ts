import { QUESTION_TYPES } from '@formwire/contract'
import { expect, it } from 'vitest'
import { everyAnswer, everyQuestion } from '../unspecified/every-answer.ts'
import { startForm } from './helpers.ts'

/** What questions of any type have. */
const PARTS = Object.assign({}, ...everyQuestion) as object

/** A form with every type, where each question but the last has the type `shift` places after its own. */
const questions = (shift: number) => [
  ...QUESTION_TYPES.map((id, index) => ({
    ...PARTS,
    id,
    type: QUESTION_TYPES[(index + shift) % QUESTION_TYPES.length],
    title: id,
  })),
  { id: 'kept', type: 'short_text', title: 'Kept' },
]
const ANSWERS = [...everyAnswer, { question_id: 'kept', value: 'still here' }]

it('[ERR-04] opens a draft with what is still valid, and validates its submission for every new type of each question', async () => {
  const { server, form, call, json } = await startForm(questions(0))
  const { id } = server.app.responses.create(form.id, { status: 'in_progress', answers: ANSWERS })
  const token = server.app.responses.get(form.id, id).draft?.token
  for (let shift = 0; shift < QUESTION_TYPES.length; shift += 1) {
    server.app.forms.update(form.id, { questions: questions(shift) })
    server.app.forms.publish(form.id)
    const page = await call('GET', `/drafts/${token}`, { headers: { accept: 'text/html' } })
    expect([shift, page.status, page.text.includes('value="still here"')]).toEqual([shift, 200, true])
    const refused = await json('POST', `/drafts/${token}/submit`, { answers: ANSWERS, email: 'no' })
    expect([shift, refused.status]).toEqual([shift, 422])
    const fields = { headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' } }
    const again = await call('POST', `/drafts/${token}/submit`, { ...fields, body: '' })
    // Unchanged, it is complete; otherwise some answers are no longer valid for their questions.
    if (shift > 0) expect([shift, again.status]).toEqual([shift, 422])
  }
})
