import type { Context } from '../context.ts'
import type { RouteCall } from '../http/router.ts'
import { readVisit, type Visit } from './meta.ts'
import { isFormPost } from './negotiate.ts'
import { openFormAndDraft, publishedForm } from './open-form.ts'
import { type ReceivedBody, readSubmission, receiveBody, SUBMIT_TOKEN_FIELD } from './read-submission.ts'
import type { Respondent } from './respond.ts'

/** A received request to submit a response or to save a draft. */
export interface Received {
  readonly slug: string
  /** Token of the draft to continue. */
  readonly token: string | undefined
  readonly visit: Visit
  readonly body: ReceivedBody
}

/**
 * Receives a submission, or a draft to save. A form post is received before the form is known to be open, and the draft to
 * exist: pressing Submit twice must succeed even if the first response was the last that the form accepts, and a page that is
 * refused comes back with its answers. A JSON body may be empty if it `isOptional`.
 */
export async function receive(context: Context, call: RouteCall, isOptional: boolean): Promise<Received> {
  const { slug = '', token } = call.params
  const { publication } = isFormPost(call.request)
    ? publishedForm(context, slug)
    : openFormAndDraft(context, slug, token).open
  const visit = await readVisit(call)
  return {
    slug,
    token,
    visit,
    body: await receiveBody(context, call.request, publication.questions, isOptional),
  }
}

/**
 * Returns the id of the response that a page became when it was submitted before, `undefined` for a page that was not.
 * Valid until the next `await`.
 */
export function submittedBefore(context: Context, { slug, body }: Received): number | undefined {
  const token = body.fields?.text(SUBMIT_TOKEN_FIELD) ?? ''
  const { form } = publishedForm(context, slug)
  const status = context.state.submitTokens.statusOf(token, form.id, context.clock.now())
  return status.kind === 'used' ? status.responseId : undefined
}

/** Reads the answers. Throws like `openForm` and `findDraft`. */
export function respondentOf(context: Context, { slug, token, visit, body }: Received): Respondent {
  const { open } = openFormAndDraft(context, slug, token)
  return { slug, token, visit, submission: readSubmission(context, open, body) }
}
