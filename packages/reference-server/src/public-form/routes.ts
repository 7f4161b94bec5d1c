import type { Context } from '../context.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { draftAnswer, formAnswer, savedAnswer, stored, submittedAnswer } from './answers.ts'
import { assetRoute } from './asset-route.ts'
import { findDraft } from './find-draft.ts'
import { originQuery } from './meta.ts'
import { preferred, writesForPage } from './negotiate.ts'
import { openForm } from './open-form.ts'
import { savedPage, thanksPage } from './page/message-pages.ts'
import { asPage, draftPage, emptyFormPage, refusedPage } from './pages.ts'
import { readRespondent } from './read-respondent.ts'
import { save, submit } from './respond.ts'
import { upload } from './upload-route.ts'

type Answer = OutgoingMessage | Promise<OutgoingMessage>

/** The public form at `/f/{slug}`: what respondents reach, without any key. */
export function publicFormRoutes(context: Context): readonly Route[] {
  const showForm = (call: RouteCall): Answer => {
    const wanted = preferred(call.request)
    const open = () => openForm(context, call.params.slug ?? '')
    if (wanted === 'json') return formAnswer(context, open())
    const show = () => emptyFormPage(context, open(), call)
    // Whoever does not ask for a page by name is a program: it gets the page, but a refusal as JSON.
    return wanted === 'page' ? asPage(show) : show()
  }

  const showDraft = (call: RouteCall): Answer => {
    const find = () => {
      const open = openForm(context, call.params.slug ?? '')
      return { open, draft: findDraft(context, open, call.params.token ?? '') }
    }
    if (preferred(call.request) !== 'page') return draftAnswer(context, find().draft)
    return asPage(() => {
      const { open, draft } = find()
      return draftPage(context, open, draft, call)
    })
  }

  const takeSubmission = async (call: RouteCall): Promise<OutgoingMessage> => {
    const bodyIsOptional = call.params.token !== undefined
    if (!writesForPage(call.request)) {
      return submittedAnswer(stored(submit(context, await readRespondent(context, call, { bodyIsOptional }))))
    }
    return asPage(async () => {
      const respondent = await readRespondent(context, call, { bodyIsOptional })
      const outcome = submit(context, respondent)
      if (!outcome.ok) return refusedPage(context, respondent, outcome)
      return thanksPage(outcome.open, originQuery(respondent.visit.origin))
    })
  }

  const takeDraft = async (call: RouteCall): Promise<OutgoingMessage> => {
    const status = call.params.token === undefined ? 201 : 200
    if (!writesForPage(call.request)) {
      return savedAnswer(stored(save(context, await readRespondent(context, call))), status)
    }
    return asPage(async () => {
      const respondent = await readRespondent(context, call)
      const outcome = save(context, respondent)
      if (!outcome.ok) return refusedPage(context, respondent, outcome)
      return savedPage(outcome.open, outcome.record.draft?.token ?? '', status)
    })
  }

  return [
    assetRoute,
    { method: 'GET', pattern: '/f/:slug', run: showForm },
    { method: 'POST', pattern: '/f/:slug', run: takeSubmission },
    { method: 'POST', pattern: '/f/:slug/files', run: (call) => upload(context, call) },
    { method: 'POST', pattern: '/f/:slug/drafts', run: takeDraft },
    { method: 'GET', pattern: '/f/:slug/drafts/:token', run: showDraft },
    { method: 'PUT', pattern: '/f/:slug/drafts/:token', run: takeDraft },
    // What a form without JavaScript can do: it knows no PUT.
    { method: 'POST', pattern: '/f/:slug/drafts/:token', run: takeDraft },
    { method: 'POST', pattern: '/f/:slug/drafts/:token/submit', run: takeSubmission },
  ]
}
