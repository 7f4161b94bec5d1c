import type { FormResponse } from '@formwire/contract'
import { deletedSchema, formSchema, responseSchema } from '@formwire/contract/schemas'
import { type CaseContext, CaseSkipped, rule, writingRule } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkItem, checkResponsePage, type Page } from '../check.ts'

/** Returns a page of the form's responses. */
export async function listResponses(
  { probe, form }: CaseContext,
  query: Record<string, string | number>,
): Promise<Page<FormResponse>> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return checkResponsePage(await probe.send(`/forms/${form.id}/responses?${parameters}`))
}

/** Returns the newest responses of the form. Skips the case if there are none. */
async function newest(context: CaseContext, count: number): Promise<FormResponse[]> {
  const { data } = await listResponses(context, { per_page: count })
  if (data.length === 0) throw new CaseSkipped('needs a form with a submitted response')
  return data
}

const sortedBy = (times: readonly number[]): boolean =>
  times.every((time, i) => i === 0 || time <= (times[i - 1] ?? 0))

/** Fields of a response with plain values. */
const LISTED_FIELDS = [
  'form_id',
  'status',
  'started_at',
  'submitted_at',
  'duration_sec',
  'email',
  'score',
  'max_score',
] as const

export const responseCases = [
  rule(
    ['RESP-01', 'RESP-05', 'RESP-07', 'RESP-08', 'ENV-05'],
    'lists submitted responses newest first, in the documented shape',
    async (context) => {
      const data = await newest(context, 100)
      check(
        data.every((response) => response.status === 'submitted'),
        'a draft is in the default list',
      )
      check(
        data.every((response) => response.form_id === context.form.id),
        'a response of another form is in the list',
      )
      const times = data.map((response) => Date.parse(response.submitted_at ?? ''))
      check(!times.some(Number.isNaN), 'a submitted response has no submitted_at')
      check(sortedBy(times), 'submitted_at is not in descending order')
    },
  ),

  rule('RESP-01', 'accepts only submitted and in_progress as the status filter', async (context) => {
    const { data } = await listResponses(context, { status: 'in_progress', per_page: 100 })
    check(
      data.every((response) => response.status === 'in_progress'),
      'the list of drafts contains a submitted response',
    )
    for (const status of ['draft', '', 'all', 'Submitted']) {
      const path = `/forms/${context.form.id}/responses?status=${status}`
      checkError(await context.probe.send(path), 'validation_failed', 'status')
    }
  }),

  rule(
    'ENV-06',
    'counts pages from 1, with 25 responses per page by default and 100 at most',
    async ({ probe, form }) => {
      const path = `/forms/${form.id}/responses`
      const { data, meta } = checkResponsePage(await probe.send(path))
      check(meta.page === 1, `page is ${meta.page} by default, expected 1`)
      check(meta.per_page === 25, `per_page is ${meta.per_page} by default, expected 25`)
      check(data.length === Math.min(25, meta.total), `${data.length} items of ${meta.total}`)
      checkError(await probe.send(`${path}?page=0`), 'validation_failed', 'page')
      checkError(await probe.send(`${path}?per_page=101`), 'validation_failed', 'per_page')
    },
  ),

  rule('RESP-02', 'excludes responses submitted before since', async (context) => {
    await newest(context, 1)
    const later = await listResponses(context, { since: '9999-01-01' })
    check(later.meta.total === 0, `since=9999-01-01 matches ${later.meta.total}, expected 0`)
    const data = await newest(context, 100)
    const middle = data[data.length >> 1]?.submitted_at ?? ''
    const kept = await listResponses(context, { since: middle, per_page: 100 })
    check(
      kept.data.every((response) => Date.parse(response.submitted_at ?? '') >= Date.parse(middle)),
      `since=${middle} returned a response submitted before it`,
    )
  }),

  rule('RESP-02', 'includes a response submitted exactly at since', async (context) => {
    const [latest] = await newest(context, 1)
    const page = await listResponses(context, { since: latest?.submitted_at ?? '', per_page: 100 })
    check(
      page.data.some((response) => response.id === latest?.id),
      'the response submitted at that instant is missing',
    )
  }),

  rule('RESP-02', 'parses since as a date, a date-time in UTC, or one with an offset', async (context) => {
    const [latest] = await newest(context, 1)
    const instant = new Date(Math.floor(Date.parse(latest?.submitted_at ?? '') / 1000) * 1000)
    const utc = instant.toISOString().slice(0, 19)
    const shifted = new Date(instant.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)
    const totals: number[] = []
    for (const since of [`${utc}Z`, utc, `${utc}+00:00`, `${shifted}+02:00`]) {
      totals.push((await listResponses(context, { per_page: 1, since })).meta.total)
    }
    check(new Set(totals).size === 1, `four notations of the same instant match ${totals.join(', ')}`)
    const day = await listResponses(context, { per_page: 1, since: utc.slice(0, 10) })
    check(day.meta.total >= (totals[0] ?? 0), 'the day matches fewer responses than an instant of it')
  }),

  rule('RESP-02', 'rejects a since that is not a date with 422', async ({ probe, form }) => {
    for (const since of ['yesterday', '2026-02-30', '2026-13-01']) {
      const path = `/forms/${form.id}/responses?since=${encodeURIComponent(since)}`
      checkError(await probe.send(path), 'validation_failed', 'since')
    }
  }),

  rule('RESP-03', 'returns a response as it is listed', async (context) => {
    const [listed] = await newest(context, 1)
    const reply = checkItem(
      await context.probe.send(`/forms/${context.form.id}/responses/${listed?.id}`),
      responseSchema,
    )
    check(reply.id === listed?.id, `requested ${listed?.id}, got ${reply.id}`)
    for (const field of LISTED_FIELDS) {
      check(reply[field] === listed?.[field], `${field} differs from the list`)
    }
    const texts = (response: typeof reply) =>
      response.answers.map((answer) => [answer.question_id, answer.text])
    check(
      JSON.stringify(texts(reply)) === JSON.stringify(texts(listed as typeof reply)),
      'the answers differ from the list',
    )
  }),

  rule(
    'RESP-03',
    'returns 404 for an unknown response, one of another form, or an id that is not an integer',
    async (context) => {
      const { probe, form } = context
      for (const id of ['999999999999', '0', '-1', 'abc', '1.5']) {
        checkError(await probe.send(`/forms/${form.id}/responses/${id}`), 'not_found')
      }
      const [listed] = await newest(context, 1)
      checkError(await probe.send(`/forms/${ABSENT_FORM_ID}/responses/${listed?.id}`), 'not_found')
    },
  ),

  writingRule(
    ['RESP-04', 'FORM-12'],
    'deletes a response permanently and lowers the count',
    async ({ probe, form, options }) => {
      const id = options.expendableResponseId
      if (id === undefined)
        throw new CaseSkipped('needs the id of a response that may be permanently deleted')
      const path = `/forms/${form.id}/responses/${id}`
      const response = checkItem(await probe.send(path), responseSchema)
      const before = checkItem(await probe.send(`/forms/${form.id}`), formSchema).response_count
      const deleted = checkItem(await probe.send(path, { method: 'DELETE' }), deletedSchema)
      check(deleted.id === id, `deleted ${id}, the response has id ${deleted.id}`)
      checkError(await probe.send(path), 'not_found')
      checkError(await probe.send(path, { method: 'DELETE' }), 'not_found')
      const after = checkItem(await probe.send(`/forms/${form.id}`), formSchema).response_count
      if (response.status === 'submitted')
        check(after === before - 1, `response_count went from ${before} to ${after}`)
    },
  ),
]
