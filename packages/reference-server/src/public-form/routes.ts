import type { Context } from '../context.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { assetRoute } from './asset-route.ts'
import { findDraft } from './find-draft.ts'
import { attributionQuery } from './meta.ts'
import { preferred, respondsWithPage } from './negotiate.ts'
import { openForm } from './open-form.ts'
import { savedPage, thanksPage } from './page/message-pages.ts'
import { asPage, draftPage, emptyFormPage, refusedPage } from './pages.ts'
import { readRespondent } from './read-respondent.ts'
import { save, submit } from './respond.ts'
import { draftJson, formJson, savedJson, storedRecord, submittedJson } from './responses.ts'
import { upload } from './upload-route.ts'

/** The routes of the public form at `/f/{slug}`. No key is required. */
export function publicFormRoutes(context: Context): readonly Route[] {
  const showForm = (call: RouteCall): ResponseOrPromise => {
    const wanted = preferred(call.request)
    const open = () => openForm(context, call.params.slug ?? '')
    if (wanted === 'json') return formJson(context, open())
    const show = () => emptyFormPage(context, open(), call)
    // Browsers name `text/html`. Other clients get the page too, but errors as JSON.
    return wanted === 'page' ? asPage(show) : show()
  }

  const showDraft = (call: RouteCall): ResponseOrPromise => {
    const find = () => {
      const open = openForm(context, call.params.slug ?? '')
      return { open, draft: findDraft(context, open, call.params.token ?? '') }
    }
    if (preferred(call.request) !== 'page') return draftJson(context, find().draft)
    return asPage(() => {
      const { open, draft } = find()
      return draftPage(context, open, draft, call)
    })
  }

  const receiveSubmission = async (call: RouteCall): Promise<OutgoingMessage> => {
    const bodyIsOptional = call.params.token !== undefined
    if (!respondsWithPage(call.request)) {
      return submittedJson(
        storedRecord(submit(context, await readRespondent(context, call, { bodyIsOptional }))),
      )
    }
    return asPage(async () => {
      const respondent = await readRespondent(context, call, { bodyIsOptional })
      const outcome = submit(context, respondent)
      if (!outcome.ok) return refusedPage(context, respondent, outcome)
      return thanksPage(outcome.open, attributionQuery(respondent.visit.attribution))
    })
  }

  const receiveDraft = async (call: RouteCall): Promise<OutgoingMessage> => {
    const status = call.params.token === undefined ? 201 : 200
    if (!respondsWithPage(call.request)) {
      return savedJson(storedRecord(save(context, await readRespondent(context, call))), status)
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
    { method: 'POST', pattern: '/f/:slug', run: receiveSubmission },
    { method: 'POST', pattern: '/f/:slug/files', run: (call) => upload(context, call) },
    { method: 'POST', pattern: '/f/:slug/drafts', run: receiveDraft },
    { method: 'GET', pattern: '/f/:slug/drafts/:token', run: showDraft },
    { method: 'PUT', pattern: '/f/:slug/drafts/:token', run: receiveDraft },
    // For pages without JavaScript: HTML forms cannot send PUT.
    { method: 'POST', pattern: '/f/:slug/drafts/:token', run: receiveDraft },
    { method: 'POST', pattern: '/f/:slug/drafts/:token/submit', run: receiveSubmission },
  ]
}
