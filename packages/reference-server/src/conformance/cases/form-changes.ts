import type { Form } from '@formwire/contract'
import { formSchema } from '@formwire/contract/schemas'
import { type CaseContext, rule, Skipped } from '../case.ts'
import { check, checkError, checkItem } from '../check.ts'
import type { Seen } from '../probe.ts'

const patch = ({ probe, form }: CaseContext, body: unknown): Promise<Seen> =>
  probe.ask(`/forms/${form.id}`, { method: 'PATCH', body })

const read = async ({ probe, form }: CaseContext): Promise<Form> =>
  checkItem(await probe.ask(`/forms/${form.id}`), formSchema) as Form

/** Runs the work and puts title and state back as they were, whatever happens. */
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
  if (form.status !== 'published') throw new Skipped('needs a published form')
}

/** A form past its end date may not open again: it is closed only when it may stay so. */
async function needsReopening(context: CaseContext): Promise<void> {
  if (context.options.expendableForm || context.form.closes_at === null) return
  const touched = checkItem(await patch(context, { title: context.form.title }), formSchema) as Form
  if (isPast(touched.closes_at, touched)) {
    throw new Skipped('needs a form that is not past its end date, or may be left closed')
  }
}

export const formChangeCases = [
  rule(
    ['FORM-05', 'FORM-10'],
    'a title of 1 to 200 code points is taken and moves updated_at',
    (context) =>
      restoring(context, async () => {
        for (const title of ['x', '😀'.repeat(200), 'Formwire conformance']) {
          const renamed = checkItem(await patch(context, { title }), formSchema)
          check(renamed.title === title, 'the answer has another title')
        }
        const after = await read(context)
        check(after.title === 'Formwire conformance', 'the new title is not there when read again')
        check(
          Date.parse(after.updated_at) >= Date.parse(context.form.updated_at),
          `updated_at went from ${context.form.updated_at} to ${after.updated_at}`,
        )
      }),
    { writes: true },
  ),

  rule(
    'FORM-05',
    'other titles and states are 422 with the field, and nothing is changed',
    (context) =>
      restoring(context, async () => {
        const before = await read(context)
        for (const title of ['', 'x'.repeat(201), '😀'.repeat(201), 7, null]) {
          checkError(await patch(context, { title }), 'validation_failed', 'title')
        }
        for (const status of ['draft', 'archived', 'Closed', 1]) {
          const seen = await patch(context, { title: 'Must not be taken', status })
          // What a form that is not published answers is open (FORM-06).
          if (before.published) checkError(seen, 'validation_failed', 'status')
        }
        const after = await read(context)
        check(after.title === before.title, 'the title of a refused request was taken')
        check(after.status === before.status, 'the state of a refused request was taken')
      }),
    { writes: true },
  ),

  rule(
    ['FORM-07', 'FORM-08', 'FORM-10'],
    'a published form closes, its public link refuses, and it opens again',
    async (context) => {
      needsPublished(context)
      await needsReopening(context)
      await restoring(context, async () => {
        const closed = checkItem(await patch(context, { status: 'closed' }), formSchema)
        check(closed.status === 'closed', `status is ${closed.status} after closing`)
        const page = await context.probe.askPublic(closed.url)
        check(page.status >= 400, `the public link still answers ${page.status}`)
        checkItem(await patch(context, { status: 'closed' }), formSchema)
        const reopened = await patch(context, { status: 'published' })
        if (reopened.status === 422 && isPast(closed.closes_at, closed)) return
        check(checkItem(reopened, formSchema).status === 'published', 'the form did not open again')
      })
    },
    { writes: true },
  ),

  rule(
    'ERR-01',
    'a body that is no JSON object, or of another type, is 400',
    async (context) => {
      const path = `/forms/${context.form.id}`
      for (const body of ['{"title":', '[]', '"x"', 'null', '']) {
        checkError(await context.probe.ask(path, { method: 'PATCH', body }), 'bad_request')
      }
      const headers = { 'content-type': 'text/plain' }
      const seen = await context.probe.ask(path, {
        method: 'PATCH',
        body: '{"title":"Must not be taken"}',
        headers,
      })
      checkError(seen, 'bad_request')
    },
    { writes: true },
  ),
]

/** Whether a date lies behind; the form was changed just now, so its `updated_at` is the deployment's own time. */
export const isPast = (timestamp: string | null, { updated_at }: Pick<Form, 'updated_at'>): boolean =>
  timestamp !== null && Date.parse(timestamp) < Date.parse(updated_at)
