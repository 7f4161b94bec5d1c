import { eventually, unmet } from '../workbench.mjs'

const PERSON = 'ann@example.com'
const OTHERS = ['joann@example.com', 'ann@example.com.au', 'bob@example.com', null]
/** Forms with their status. The person has responses in a row in the first, so that turning pages while rows vanish skips some. */
const FORMS = { survey000001: 'published', closed000001: 'closed', archived0001: 'archived' }
const [SURVEY] = Object.keys(FORMS)
/** Responses of the person: 60 and 2 drafts in the first form, and one in each other. */
const TOTAL = 64
/** Milliseconds in which a person must be erased, also where each request takes a while. */
const ERASED_MS = 120_000

const submitted = (email, index) => ({ email, answers: [], submitted_at: `-${index + 1}m` })
const draft = (email) => ({ status: 'in_progress', email, answers: [], started_at: '-1m' })

const seededForms = () =>
  Object.entries(FORMS).map(([id, status]) => {
    const own = Array.from({ length: id === SURVEY ? 60 : 1 }, (_, index) =>
      submitted(index % 2 ? PERSON : 'Ann@Example.com', index),
    )
    const drafts = id === SURVEY ? [draft(PERSON), draft(PERSON)] : []
    const others = OTHERS.flatMap((email) => [submitted(email, 100), draft(email)])
    return { id, title: id, status, responses: [...own, ...drafts, ...others] }
  })

/** Returns the responses of a form, of which there are fewer than a hundred. */
const responsesOf = ({ call }, form, status) =>
  call('GET', `/forms/${form}/responses?per_page=100&status=${status}`)

const isOwn = ({ email }) => email?.toLowerCase() === PERSON

export async function grade(bench, { check }) {
  const service = await bench.service(seededForms())
  const rows = async (status) =>
    (await Promise.all(Object.keys(FORMS).map((form) => responsesOf(service, form, status)))).flat()
  const othersLeft = async () =>
    [...(await rows('submitted')), ...(await rows('in_progress'))].filter((row) => !isOwn(row)).length
  const erase = ({ env }) => bench.run(['node', 'erase.mjs', PERSON], env, ERASED_MS)
  const mustPrint = ({ stdout }, count) => {
    const printed = stdout.trim().split('\n').at(-1) || 'nothing'
    if (printed !== String(count)) unmet(`it printed ${printed} for ${count} responses`)
  }
  const mustEnd = ({ code, stderr }) =>
    code === 0 || unmet(`exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)
  const mustBeGone = (left) => {
    const { length } = left.filter(isOwn)
    if (length > 0) unmet(`${length} are left`)
  }

  const others = await othersLeft()
  const run = await erase(service)
  await check('erases-submitted', async () => {
    mustBeGone(await rows('submitted'))
    mustEnd(run)
  })
  await check('erases-drafts', async () => mustBeGone(await rows('in_progress')))
  await check('keeps-others', async () => {
    const left = await othersLeft()
    if (left !== others) unmet(`${others - left} responses of others are gone`)
  })
  await check('prints-count', () => mustPrint(run, TOTAL))
  await check('survives-deletions', async () => {
    const world = await bench.service(seededForms())
    // Each request takes a while, so that one can be deleted between the list and its own deletion, on a busy machine too.
    await world.call('POST', '/faults', { path: '/api/v1/forms/*/responses/*', delay_ms: 100 })
    const erasing = erase(world)
    erasing.catch(() => undefined)
    await eventually(
      () => 'it deleted nothing',
      async () => (await world.call('GET', '/requests')).some(({ method }) => method === 'DELETE'),
    )
    // In the middle of what is left, far from where it deletes now.
    const rest = (await responsesOf(world, SURVEY, 'submitted')).filter(isOwn)
    await world.call('DELETE', `/forms/${SURVEY}/responses/${rest[rest.length >> 1].id}`)
    mustEnd(await erasing)
    mustBeGone(await responsesOf(world, SURVEY, 'submitted'))
  })
  await check('runs-again', async () => {
    const again = await erase(service)
    mustEnd(again)
    mustPrint(again, 0)
  })
}
