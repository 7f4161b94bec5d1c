import type { Form } from '@formwire/contract'
import { formSchema } from '@formwire/contract/schemas'
import { type CaseContext, CaseSkipped, writingRule } from '../case.ts'
import { check, checkError, checkItem } from '../check.ts'
import type { Reply } from '../probe.ts'

export const patch = (
  { probe, form }: Pick<CaseContext, 'probe' | 'form'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> => probe.send(`/forms/${form.id}`, { method: 'PATCH', body, headers })

const read = async ({ probe, form }: CaseContext): Promise<Form> =>
  checkItem(await probe.send(`/forms/${form.id}`), formSchema) as Form

/** Runs `work`, then restores title and status, also after a failure. */
async function restoring(context: CaseContext, work: () => Promise<void>): Promise<void> {
  const before = await read(context)
  try {
    await work()
  } finally {
    const after = await read(context)
    if (after.title !== before.title) await patch(context, { title: before.title })
    if (after.status !== before.status) await patch(context, { status: before.status })
  }
}

const needsPublished = ({ form }: CaseContext): void => {
  if (form.status !== 'published') throw new CaseSkipped('needs a published form')
}

/** A form past its end date may not reopen, so it is closed only if it may stay closed. */
async function needsReopening(context: CaseContext): Promise<void> {
  if (context.options.expendableForm || context.form.closes_at === null) return
  const touched = checkItem(await patch(context, { title: context.form.title }), formSchema) as Form
  if (isPast(touched.closes_at, touched)) {
    throw new CaseSkipped('needs a form that is not past its end date, or may be left closed')
  }
}

export const formChangeCases = [
  writingRule(
    ['FORM-05', 'FORM-10'],
    'accepts a title of 1 to 200 code points and moves updated_at',
    (context) =>
      restoring(context, async () => {
        for (const title of ['x', '😀'.repeat(200), 'Formwire conformance']) {
          const renamed = checkItem(await patch(context, { title }), formSchema)
          check(renamed.title === title, 'the response has a different title')
        }
        const after = await read(context)
        check(after.title === 'Formwire conformance', 'the new title was not stored')
        check(
          Date.parse(after.updated_at) >= Date.parse(context.form.updated_at),
          `updated_at went from ${context.form.updated_at} to ${after.updated_at}`,
        )
      }),
  ),

  writingRule(
    'FORM-05',
    'rejects other titles and statuses with 422 and the field, and changes nothing',
    (context) =>
      restoring(context, async () => {
        const before = await read(context)
        for (const title of ['', 'x'.repeat(201), '😀'.repeat(201), 7, null]) {
          checkError(await patch(context, { title }), 'validation_failed', 'title')
        }
        for (const status of ['draft', 'archived', 'trashed', 'Closed', '', 1, null, ['closed'], true]) {
          const reply = await patch(context, { title: 'Must not be stored', status })
          // For a form that is not published, the status is unspecified (FORM-06).
          if (before.published) checkError(reply, 'validation_failed', 'status')
        }
        const after = await read(context)
        check(after.title === before.title, 'the title of a rejected request was stored')
        check(after.status === before.status, 'the status of a rejected request was stored')
      }),
  ),

  writingRule(
    ['FORM-07', 'FORM-08', 'FORM-10'],
    'closes a published form, refuses its public link, and opens it again',
    async (context) => {
      needsPublished(context)
      await needsReopening(context)
      await restoring(context, async () => {
        const closed = checkItem(await patch(context, { status: 'closed' }), formSchema)
        check(closed.status === 'closed', `status is ${closed.status} after closing`)
        const page = await context.probe.getPublic(closed.url)
        check(page.status >= 400, `the public link still returns ${page.status}`)
        checkItem(await patch(context, { status: 'closed' }), formSchema)
        const reopened = await patch(context, { status: 'published' })
        if (reopened.status === 422 && isPast(closed.closes_at, closed)) return
        check(checkItem(reopened, formSchema).status === 'published', 'the form did not reopen')
      })
    },
  ),

  writingRule('ERR-01', 'rejects a body that is not valid JSON with 400', async (context) => {
    for (const body of ['{"title":', '']) {
      checkError(await patch(context, body), 'bad_request')
    }
  }),
]

/** Whether a date is past. The form was changed just now, so its `updated_at` is the deployment's time. */
export const isPast = (timestamp: string | null, { updated_at }: Pick<Form, 'updated_at'>): boolean =>
  timestamp !== null && Date.parse(timestamp) < Date.parse(updated_at)
