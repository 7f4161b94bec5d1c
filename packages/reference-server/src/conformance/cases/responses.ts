import { deletedSchema, formSchema, responseSchema } from '@formwire/contract/schemas'
import { type CaseContext, rule, Skipped } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkItem, checkResponsePage } from '../check.ts'

/** The newest responses of the form; a case that needs some is skipped without. */
async function newest({ probe, form }: CaseContext, count: number) {
  const { data } = checkResponsePage(await probe.ask(`/forms/${form.id}/responses?per_page=${count}`))
  if (data.length === 0) throw new Skipped('needs a form with a submitted response')
  return data
}

const sortedBy = (times: readonly number[]): boolean =>
  times.every((time, i) => i === 0 || time <= (times[i - 1] ?? 0))

/** Plain fields of a response, the same wherever it is read. */
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
    'responses come newest first, in the documented shape',
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
      check(sortedBy(times), 'submitted_at goes up somewhere in the list')
    },
  ),

  rule('RESP-01', 'status takes submitted and in_progress, nothing else', async ({ probe, form }) => {
    const path = `/forms/${form.id}/responses`
    const { data } = checkResponsePage(await probe.ask(`${path}?status=in_progress&per_page=100`))
    check(
      data.every((response) => response.status === 'in_progress'),
      'a submitted response is among the drafts',
    )
    checkError(await probe.ask(`${path}?status=draft`), 'validation_failed', 'status')
  }),

  rule('ENV-06', 'responses come in pages of 25 unless said, of 100 at most', async ({ probe, form }) => {
    const path = `/forms/${form.id}/responses`
    const { data, meta } = checkResponsePage(await probe.ask(path))
    check(meta.page === 1, `page is ${meta.page} by default, expected 1`)
    check(meta.per_page === 25, `per_page is ${meta.per_page} by default, expected 25`)
    check(data.length === Math.min(25, meta.total), `${data.length} items of ${meta.total}`)
    checkError(await probe.ask(`${path}?page=0`), 'validation_failed', 'page')
    checkError(await probe.ask(`${path}?per_page=101`), 'validation_failed', 'per_page')
  }),

  rule('RESP-02', 'since leaves out what was submitted before', async (context) => {
    const path = `/forms/${context.form.id}/responses`
    await newest(context, 1)
    const later = checkResponsePage(await context.probe.ask(`${path}?since=9999-01-01`))
    check(later.meta.total === 0, `since the year 9999 matches ${later.meta.total}`)
    const data = await newest(context, 100)
    const middle = data[data.length >> 1]?.submitted_at ?? ''
    const kept = checkResponsePage(
      await context.probe.ask(`${path}?since=${encodeURIComponent(middle)}&per_page=100`),
    )
    check(
      kept.data.every((response) => Date.parse(response.submitted_at ?? '') >= Date.parse(middle)),
      `since=${middle} gave a response submitted before it`,
    )
  }),

  rule('RESP-02', 'since is inclusive', async (context) => {
    const [latest] = await newest(context, 1)
    const since = encodeURIComponent(latest?.submitted_at ?? '')
    const page = checkResponsePage(
      await context.probe.ask(`/forms/${context.form.id}/responses?since=${since}&per_page=100`),
    )
    check(
      page.data.some((response) => response.id === latest?.id),
      'the response submitted at that very instant is left out',
    )
  }),

  rule('RESP-02', 'since reads a date, a date-time without a zone as UTC, and an offset', async (context) => {
    const [latest] = await newest(context, 1)
    const instant = new Date(Math.floor(Date.parse(latest?.submitted_at ?? '') / 1000) * 1000)
    const utc = instant.toISOString().slice(0, 19)
    const shifted = new Date(instant.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)
    const totals: number[] = []
    for (const since of [`${utc}Z`, utc, `${utc}+00:00`, `${shifted}+02:00`]) {
      const path = `/forms/${context.form.id}/responses?per_page=1&since=${encodeURIComponent(since)}`
      totals.push(checkResponsePage(await context.probe.ask(path)).meta.total)
    }
    check(new Set(totals).size === 1, `the same instant in four spellings matches ${totals.join(', ')}`)
    const day = checkResponsePage(
      await context.probe.ask(`/forms/${context.form.id}/responses?per_page=1&since=${utc.slice(0, 10)}`),
    )
    check(day.meta.total >= (totals[0] ?? 0), 'since the day matches fewer than since the instant')
  }),

  rule('RESP-02', 'since that is no date is 422', async ({ probe, form }) => {
    for (const since of ['yesterday', '2026-02-30', '2026-13-01']) {
      const path = `/forms/${form.id}/responses?since=${encodeURIComponent(since)}`
      checkError(await probe.ask(path), 'validation_failed', 'since')
    }
  }),

  rule('RESP-03', 'one response reads as it is listed', async (context) => {
    const [listed] = await newest(context, 1)
    const seen = checkItem(
      await context.probe.ask(`/forms/${context.form.id}/responses/${listed?.id}`),
      responseSchema,
    )
    check(seen.id === listed?.id, `asked for ${listed?.id}, got ${seen.id}`)
    for (const field of LISTED_FIELDS) {
      check(seen[field] === listed?.[field], `${field} is another than in the list`)
    }
    const texts = (response: typeof seen) =>
      response.answers.map((answer) => [answer.question_id, answer.text])
    check(
      JSON.stringify(texts(seen)) === JSON.stringify(texts(listed as typeof seen)),
      'the answers are others than in the list',
    )
  }),

  rule('RESP-03', 'a response that is not there, of another form or no integer, is 404', async (context) => {
    const { probe, form } = context
    for (const id of ['999999999999', '0', '-1', 'abc', '1.5']) {
      checkError(await probe.ask(`/forms/${form.id}/responses/${id}`), 'not_found')
    }
    const [listed] = await newest(context, 1)
    checkError(await probe.ask(`/forms/${ABSENT_FORM_ID}/responses/${listed?.id}`), 'not_found')
  }),

  rule(
    ['RESP-04', 'FORM-12'],
    'a deleted response is gone, and lowers the count',
    async ({ probe, form, options }) => {
      const id = options.expendableResponseId
      if (id === undefined) throw new Skipped('needs the id of a response that may be deleted for good')
      const path = `/forms/${form.id}/responses/${id}`
      const response = checkItem(await probe.ask(path), responseSchema)
      const before = checkItem(await probe.ask(`/forms/${form.id}`), formSchema).response_count
      const deleted = checkItem(await probe.ask(path, { method: 'DELETE' }), deletedSchema)
      check(deleted.id === id, `deleted ${id}, the answer says ${deleted.id}`)
      checkError(await probe.ask(path), 'not_found')
      checkError(await probe.ask(path, { method: 'DELETE' }), 'not_found')
      const after = checkItem(await probe.ask(`/forms/${form.id}`), formSchema).response_count
      if (response.status === 'submitted')
        check(after === before - 1, `response_count went from ${before} to ${after}`)
    },
    { writes: true },
  ),
]
