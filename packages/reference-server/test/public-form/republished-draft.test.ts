import { QUESTION_TYPES } from '@formwire/contract'
import { expect, it } from 'vitest'
import { answersOf, startForm } from './helpers.ts'

const CHOICES = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
]
const CHOICE = { ids: ['a'], other: null }
const FILES = [{ id: 'file_1', name: 'cv.pdf', size: 3 }]
const PARTS = { options: CHOICES, rows: CHOICES, columns: CHOICES }

/** A valid answer for each question type. */
const VALUES: Record<(typeof QUESTION_TYPES)[number], unknown> = {
  short_text: 'short',
  long_text: 'two\nlines',
  email: 'ann@example.com',
  url: 'https://example.com',
  phone: '+44 20 7946 0000',
  date: '2026-11-21',
  time: '09:30',
  number: 7,
  scale: 3,
  rating: 3,
  nps: 3,
  slider: 3,
  single_choice: CHOICE,
  multiple_choice: CHOICE,
  dropdown: CHOICE,
  yes_no: { ids: ['yes'], other: null },
  ranking: { ids: ['b', 'a'], other: null },
  grid_single: { a: 'b' },
  grid_multiple: { a: ['a', 'b'] },
  file: FILES,
  signature: FILES,
  address: { line1: '1 Main St' },
}

/** A form with every type, where each question has the type `shift` places after its own. */
const questions = (shift: number) =>
  QUESTION_TYPES.map((id, index) => ({
    id,
    type: QUESTION_TYPES[(index + shift) % QUESTION_TYPES.length],
    title: id,
    ...PARTS,
  }))

it('[ERR-04] opens a draft and validates its submission for every new type of each question', async () => {
  const { server, form, call, json } = await startForm(questions(0))
  const { id } = server.app.responses.create(form.id, { status: 'in_progress', answers: answersOf(VALUES) })
  const token = server.app.responses.get(form.id, id).draft?.token
  for (let shift = 0; shift < QUESTION_TYPES.length; shift += 1) {
    server.app.forms.update(form.id, { questions: questions(shift) })
    server.app.forms.publish(form.id)
    const page = await call('GET', `/drafts/${token}`, { headers: { accept: 'text/html' } })
    expect([shift, page.status]).toEqual([shift, 200])
    const refused = await json('POST', `/drafts/${token}/submit`, { answers: answersOf(VALUES), email: 'no' })
    expect([shift, refused.status]).toEqual([shift, 422])
    const fields = { headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' } }
    const again = await call('POST', `/drafts/${token}/submit`, { ...fields, body: '' })
    // Unchanged, it is complete; otherwise some answers are no longer valid for their questions.
    if (shift > 0) expect([shift, again.status]).toEqual([shift, 422])
  }
})
