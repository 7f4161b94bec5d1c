import type { Form, FormResponse } from '@formwire/contract'
import { openFitting } from '@formwire/internal/fitting-pages'
import type { Formwire, RequestOptions } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { Progress } from '../output/progress.ts'
import { withBuilderQuestions } from './builder-questions.ts'
import { type FormModel, QuestionTally } from './model.ts'

/** Which responses to read. */
export interface ReadOptions {
  /** Only this many, the newest. @default all */
  sample?: number | undefined
  /** Options of the requests. @default the signal that stops the command */
  options?: RequestOptions | undefined
  /** Called with each response, before it is read. */
  onResponse?: ((response: FormResponse) => void) | undefined
  /** Called with the error that ends the responses, which are then a sample, unless it throws. @default throws it */
  onFailure?: ((error: unknown) => void) | undefined
}

const PER_PAGE = 100

/**
 * Infers a form from its submitted responses.
 * @param form its id, or the form if it was read already
 * @throws as the API client; Failure exit 3 for an unknown form
 */
export async function readForm(
  context: Context,
  client: Formwire,
  form: string | Pick<Form, 'id' | 'title'>,
  {
    sample,
    options = { signal: context.runtime.stop },
    onResponse,
    onFailure = (error) => {
      throw error
    },
  }: ReadOptions,
): Promise<FormModel> {
  const formId = typeof form === 'string' ? form : form.id
  const { title } = typeof form === 'string' ? await client.forms.get(formId, options) : form
  const tally = new QuestionTally()
  let total = Number.POSITIVE_INFINITY
  let isCut = false
  try {
    const { list, first } = await openFitting(Math.min(sample ?? PER_PAGE, PER_PAGE), (per_page) =>
      client.responses.list(formId, { per_page }, options),
    )
    total = first.meta.total
    const progress = new Progress(context, 'responses', Math.min(sample ?? total, total))
    for await (const response of list) {
      onResponse?.(response)
      tally.add(response)
      if (tally.responses === sample) break
      if (tally.responses % PER_PAGE === 0) progress.show(tally.responses, formId)
    }
    progress.end()
  } catch (error) {
    onFailure(error)
    isCut = true
  }
  return {
    id: formId,
    title,
    responses: tally.responses,
    isSample: (isCut || tally.responses === sample) && tally.responses < total,
    isExact: false,
    questions: tally.questions(),
  }
}

/**
 * Completes the form with the questions of a reference server if FORMWIRE_ADMIN_TOKEN is set. Another service has no
 * control API: its form stays as inferred.
 */
export async function withExactQuestions(context: Context, form: FormModel): Promise<FormModel> {
  if (!context.runtime.env.FORMWIRE_ADMIN_TOKEN) return form
  const control = await context.control(undefined)
  try {
    const { questions } = await control.form(form.id)
    return { ...form, isExact: true, questions: withBuilderQuestions(form.questions, questions) }
  } catch (error) {
    if (!isWithoutControlApi(error)) throw error
    context.output.note(
      'the server has no control API: the questions are inferred from responses only',
      'wait',
    )
    return form
  }
}

/** The API has just returned the form: a 404 is about the path. A proxy may respond with a page instead. */
function isWithoutControlApi(error: unknown): boolean {
  return error instanceof Failure && (error.exitCode === EXIT.notFound || error.code === 'no_delivery_log')
}
