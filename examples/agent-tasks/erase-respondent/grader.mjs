import { eventually, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'erases-submitted': 'no submitted response of the person is left',
  'erases-drafts': 'no draft of the person is left',
  'keeps-others': 'everything of others is left, also of people with a similar address',
  'prints-count': 'prints the number of responses that it has deleted',
  'survives-deletions': 'erases the rest when somebody else deletes one of the responses meanwhile',
  'runs-again': 'deletes nothing and prints 0 when it runs again',
}

const PERSON = 'ann@example.com'
const OTHERS = ['joann@example.com', 'ann@example.com.au', 'bob@example.com', null]
const FORMS = ['survey000001', 'closed000001', 'archived0001']
const STATUSES = ['submitted', 'in_progress']
/** Responses of the person in each form, in a row, so that turning pages while rows vanish skips some. */
const SUBMITTED = { survey000001: 60, closed000001: 1, archived0001: 1 }
const DRAFTS = 2

const response = (email, index, status) => ({
  status,
  email,
  answers: [],
  ...(status === 'submitted' ? { submitted_at: `-${index + 1}m` } : { started_at: `-${index + 1}m` }),
})

function seededForms() {
  return FORMS.map((id, form) => {
    const own = Array.from({ length: SUBMITTED[id] }, (_, index) =>
      response(index % 2 ? PERSON : 'Ann@Example.com', index, 'submitted'),
    )
    const drafts =
      form === 0 ? Array.from({ length: DRAFTS }, (_, index) => response(PERSON, index, 'in_progress')) : []
    const others = OTHERS.flatMap((email) =>
      STATUSES.map((status, index) => response(email, 100 + index, status)),
    )
    const status = ['published', 'closed', 'archived'][form]
    return { id, title: id, status, responses: [...own, ...drafts, ...others] }
  })
}

/** Milliseconds in which a person must be erased, also where each request takes a while. */
const ERASED_MS = 120_000

export async function grader(bench, { check }) {
  const service = await bench.service(seededForms())
  const left = async (status) =>
    (await Promise.all(FORMS.map((form) => service.responses(form, status)))).flat()
  const isOwn = ({ email }) => email?.toLowerCase() === PERSON
  const own = async (status) => (await left(status)).filter(isOwn)
  const others = async () =>
    [...(await left('submitted')), ...(await left('in_progress'))].filter((row) => !isOwn(row))
  const erase = (world) => bench.run(['node', 'erase.mjs', PERSON], world.env, ERASED_MS)
  const lastLine = ({ stdout }) => stdout.trim().split('\n').at(-1) || 'nothing'
  const succeeded = ({ code, stderr }) =>
    code === 0 || unmet(`exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)

  const before = await others()
  const total = Object.values(SUBMITTED).reduce((sum, count) => sum + count, DRAFTS)
  const run = await erase(service)
  for (const [id, status] of [
    ['erases-submitted', 'submitted'],
    ['erases-drafts', 'in_progress'],
  ]) {
    await check(id, async () => {
      const { length } = await own(status)
      if (length > 0) unmet(`${length} are left`)
      succeeded(run)
    })
  }
  await check('keeps-others', async () => {
    const ids = (rows) => rows.map((row) => `${row.id} of ${row.email}`)
    sameMembers('what is left of others', ids(await others()), ids(before))
  })
  await check('prints-count', () => {
    if (lastLine(run) !== String(total)) unmet(`it printed ${lastLine(run)} for ${total} responses`)
  })
  await check('survives-deletions', async () => {
    const world = await bench.service(seededForms())
    const [form] = FORMS
    // Each request takes a while, so that one can be deleted between the list and its own deletion, on a busy machine too.
    await world.call('POST', '/faults', { path: '/api/v1/forms/*/responses/*', delay_ms: 100 })
    const erasing = erase(world)
    erasing.catch(() => undefined)
    await eventually(
      () => 'it deleted nothing',
      async () => (await world.requests()).some(({ method }) => method === 'DELETE'),
    )
    // In the middle of what is left, far from where it deletes now.
    const rest = (await world.responses(form)).filter(isOwn)
    await world.call('DELETE', `/forms/${form}/responses/${rest[rest.length >> 1].id}`)
    succeeded(await erasing)
    const { length } = (await world.responses(form)).filter(isOwn)
    if (length > 0) unmet(`${length} are left`)
  })
  await check('runs-again', async () => {
    const again = await erase(service)
    succeeded(again)
    if (lastLine(again) !== '0') unmet(`it printed ${lastLine(again)}`)
  })
}
