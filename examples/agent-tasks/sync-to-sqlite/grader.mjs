import { join } from 'node:path'
import Database from 'libsql'
import { sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'first-copy': 'has every response of every form after the first run',
  'idle-cost': 'needs at most 10 requests for each form when nothing has changed',
  'new-responses': 'adds new responses, and those of a new form',
  deletions: 'no longer has responses that were deleted',
  'same-count': 'is equal also when as many responses came as were deleted',
}

const SURVEY = 'survey000001'
const SIGNUP = 'signup000001'
const IDLE_REQUESTS = 10

/** Responses of a minute each, as a seed has them. */
const responses = (count) =>
  Array.from({ length: count }, (_, index) => ({
    submitted_at: `-${count - index}m`,
    email: index % 3 === 0 ? null : `guest${index}@example.com`,
    answers: [],
  }))

export async function grader(bench, { must, check }) {
  const forms = [
    { id: SURVEY, title: 'Survey', responses: responses(2200) },
    { id: SIGNUP, title: 'Sign-up', responses: responses(20) },
  ]
  const service = await bench.service(forms)
  const file = join(bench.createFolder(), 'responses.db')

  const sync = async () => {
    const { code, stderr } = await bench.run(['node', 'sync.mjs', file], service.env, 60_000)
    if (code !== 0) unmet(`exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)
  }
  const isEqual = async () => {
    const expected = []
    for (const { id } of await service.call('GET', '/forms')) {
      for (const row of await service.responses(id)) expected.push([id, row.id, row.submitted_at, row.email])
    }
    sameMembers('table responses', rowsOf(file), expected)
  }
  const syncToEqual = async () => {
    await sync()
    await isEqual()
  }

  await must('first-copy', syncToEqual)
  await check('idle-cost', async () => {
    const before = (await service.requests()).length
    await sync()
    const used = (await service.requests()).length - before
    if (used > IDLE_REQUESTS * forms.length) unmet(`it made ${used} requests for ${forms.length} forms`)
  })
  await check('new-responses', async () => {
    for (const email of ['ann@example.com', 'ben@example.com']) await service.submit(SURVEY, { email })
    const { id } = await service.call('POST', '/forms', { title: 'Later' })
    await service.call('POST', `/forms/${id}/publish`)
    await service.submit(id, { email: 'cleo@example.com' })
    await syncToEqual()
  })
  const remove = (form, id) => service.call('DELETE', `/forms/${form}/responses/${id}`)
  const newest = await service.responses(SIGNUP)
  await check('deletions', async () => {
    for (const { id } of [newest[3], newest.at(-1)]) await remove(SIGNUP, id)
    await syncToEqual()
  })
  await check('same-count', async () => {
    await remove(SIGNUP, newest[10].id)
    await service.submit(SIGNUP, { email: 'dora@example.com' })
    await syncToEqual()
  })
}

function rowsOf(file) {
  try {
    const database = new Database(file, { readonly: true })
    const rows = database.prepare('SELECT form_id, id, submitted_at, email FROM responses').all()
    database.close()
    return rows.map((row) => [row.form_id, row.id, row.submitted_at, row.email])
  } catch (error) {
    return unmet(`the table cannot be read: ${error.message}`)
  }
}
