import type { Context } from '../context.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { draftAnswer, formAnswer, savedAnswer, stored, submittedAnswer } from './answers.ts'
import { findDraft } from './find-draft.ts'
import { openForm } from './open-form.ts'
import { readRespondent } from './read-respondent.ts'
import { save, submit } from './respond.ts'
import { upload } from './upload-route.ts'

/** The public form at `/f/{slug}`: what respondents reach, without any key. */
export function publicFormRoutes(context: Context): readonly Route[] {
  const open = ({ params }: RouteCall) => openForm(context, params.slug ?? '')
  return [
    { method: 'GET', pattern: '/f/:slug', run: (call) => formAnswer(context, open(call)) },
    {
      method: 'POST',
      pattern: '/f/:slug',
      run: async (call) => submittedAnswer(stored(submit(context, await readRespondent(context, call)))),
    },
    {
      method: 'POST',
      pattern: '/f/:slug/drafts',
      run: async (call) => savedAnswer(stored(save(context, await readRespondent(context, call))), 201),
    },
    {
      method: 'GET',
      pattern: '/f/:slug/drafts/:token',
      run: (call) => draftAnswer(context, findDraft(context, open(call), call.params.token ?? '')),
    },
    {
      method: 'PUT',
      pattern: '/f/:slug/drafts/:token',
      run: async (call) => savedAnswer(stored(save(context, await readRespondent(context, call))), 200),
    },
    {
      method: 'POST',
      pattern: '/f/:slug/drafts/:token/submit',
      run: async (call) => {
        const respondent = await readRespondent(context, call, { bodyIsOptional: true })
        return submittedAnswer(stored(submit(context, respondent)))
      },
    },
    { method: 'POST', pattern: '/f/:slug/files', run: (call) => upload(context, call) },
  ]
}
