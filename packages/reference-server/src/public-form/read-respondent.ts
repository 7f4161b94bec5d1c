import type { Context } from '../context.ts'
import type { RouteCall } from '../http/route.ts'
import { findDraft } from './find-draft.ts'
import { readVisit } from './meta.ts'
import { openForm } from './open-form.ts'
import { readOptionalSubmission, readSubmission } from './read-submission.ts'
import type { Respondent } from './respond.ts'

/**
 * Reads a submission and where it came from. Looks up the form, and the draft named in the path, before reading the body,
 * so that a closed form refuses early.
 */
export async function readRespondent(
  context: Context,
  call: RouteCall,
  { bodyIsOptional = false }: { bodyIsOptional?: boolean } = {},
): Promise<Respondent> {
  const { slug = '', token } = call.params
  const open = openForm(context, slug)
  if (token !== undefined) findDraft(context, open, token)
  const visit = await readVisit(call)
  const read = bodyIsOptional ? readOptionalSubmission : readSubmission
  return { slug, token, visit, submission: await read(context, slug, call.request) }
}
