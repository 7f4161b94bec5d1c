import { FORM_STATUSES } from '@formwire/contract'
import * as z from 'zod'
import { safeJson } from '../../output/text-safety.ts'
import { type ReadOptions, readForm, withExactQuestions } from '../../types/read-form.ts'
import { endOf } from '../deadline.ts'
import { invalidArgument } from '../failures.ts'
import { PAGE_MARGIN, pageOf, shownError } from '../result.ts'
import { AnswerCounts } from '../service/answer-counts.ts'
import { checkedResponse, endpointRow, formRow, type Service, serviceOf } from '../service/service.ts'
import type { Session } from '../session.ts'
import { defineTool, FORM, PAGING, SAMPLE, SAMPLE_DEFAULT } from '../tool.ts'
import { wordsOf } from '../untrusted.ts'

const INPUT = z.strictObject({
  form: FORM.optional(),
  status: z.enum(FORM_STATUSES).optional(),
  sample: SAMPLE.optional(),
  ...PAGING,
})

export const forms = defineTool({
  name: 'forms',
  group: 'service',
  description:
    'Forms of the configured service, with status and counts. With form: its endpoints, and its questions as inferred from responses, with counts and ranges of answers.',
  input: INPUT,
  async run(session, given, call) {
    const { form: id, status, sample, cursor, limit } = given
    const service = await serviceOf(session, call)
    if (id !== undefined) {
      if (status !== undefined) throw invalidArgument('status', 'only the list takes it: leave out form')
      return await describe(session, service, id, given)
    }
    if (sample !== undefined) throw invalidArgument('sample', 'only one form takes it: add form')
    const { client, options, clean } = service
    return await session.lists.page({
      of: { forms: status ?? null },
      cursor,
      limit,
      signal: options.signal,
      open: (signal, per_page) => client.forms.list({ per_page, status }, { ...options, signal }),
      show: (form) => formRow(clean(form)),
    })
  },
})

async function describe(
  { context }: Session,
  { client, options, clean }: Service,
  id: string,
  { sample = SAMPLE_DEFAULT, cursor, limit }: z.output<typeof INPUT>,
) {
  const form = clean(await client.forms.get(id, options))
  const endpoints = clean((await client.webhooks.list(id, options)).data)
  const counts = new AnswerCounts()
  let end: unknown
  const read: ReadOptions = {
    sample,
    options,
    onResponse: (response) => counts.add(checkedResponse(response)),
    onFailure(error) {
      end = endOf(error, options.signal)
    },
  }
  const inferred = await readForm(context, client, { ...form, id }, read)
  const model = await withExactQuestions(context, inferred)
  const facts = {
    form: {
      ...formRow(form),
      ...wordsOf(form, 'url', 'response_limit', 'opens_at', 'closes_at', 'created_at'),
    },
    endpoints: endpoints.map(endpointRow),
    responses_read: model.responses,
    is_sample: model.isSample,
    ...(end === undefined ? {} : { incomplete: shownError(end, context) }),
  }
  const { items, next_cursor } = pageOf(
    clean(model.questions).map((question, key) => ({ key, ...counts.summary(question) })),
    ({ key }) => key,
    { cursor, limit, reserved: safeJson(facts).length + PAGE_MARGIN },
  )
  return { ...facts, questions: items.map(({ key: _, ...question }) => question), next_cursor }
}
