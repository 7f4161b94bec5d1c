import type { Context } from '../context.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { Route, RouteCall } from '../http/router.ts'
import { assetRoute } from './asset-routes.ts'
import { draftJson, formJson, savedJson, storedRecord, submittedJson } from './json-response.ts'
import { attributionQuery, readAttribution } from './meta.ts'
import { preferred, respondsWithPage } from './negotiate.ts'
import { findDraft, openForm, publishedForm } from './open-form.ts'
import { redirect } from './page/document.ts'
import { draftLink, savedPage, thanksPage } from './page/message-pages.ts'
import { asPage, draftPage, emptyFormPage, keepingAnswers, pageForm, refusedPage } from './pages.ts'
import { receive, respondentOf, submittedBefore } from './read-respondent.ts'
import { save, submit } from './respond.ts'
import { upload } from './upload-route.ts'

/** The routes of the public form at `/f/{slug}`. No key is required. */
export function publicFormRoutes(context: Context): readonly Route[] {
  /** Browsers name `text/html`. Other clients get the page too, but errors as JSON. */
  const showPage = (call: RouteCall, show: () => OutgoingMessage): ResponseOrPromise =>
    preferred(call.request) === 'page' ? asPage(context, show) : show()

  const findOwnDraft = ({ params }: RouteCall) => {
    const open = openForm(context, params.slug ?? '')
    return { open, draft: findDraft(context, open, params.token ?? '') }
  }

  const showForm = (call: RouteCall): ResponseOrPromise => {
    const open = () => openForm(context, call.params.slug ?? '')
    if (preferred(call.request) === 'json') return formJson(context, open())
    return showPage(call, () => emptyFormPage(context, open(), call))
  }

  const showDraft = (call: RouteCall): ResponseOrPromise => {
    if (preferred(call.request) !== 'page') return draftJson(context, findOwnDraft(call).draft)
    return asPage(context, () => {
      const { open, draft } = findOwnDraft(call)
      return draftPage(context, open, draft, call)
    })
  }

  const showSaved = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => {
      const { open, draft } = findOwnDraft(call)
      return savedPage(pageForm(context, open), draft.draft?.token ?? '')
    })

  /** Shows no data, so that a form without responses, or one that is full now, has this page too. */
  const showThanks = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => {
      const { link, ...published } = publishedForm(context, call.params.slug ?? '')
      const query = attributionQuery(readAttribution(call.query))
      return thanksPage(pageForm(context, published), query, link.kind === 'open')
    })

  const thanks = (call: RouteCall): OutgoingMessage =>
    redirect(`/f/${call.params.slug}/thanks${attributionQuery(readAttribution(call.query))}`)

  const submitResponse = async (call: RouteCall): Promise<OutgoingMessage> => {
    if (!respondsWithPage(call.request)) {
      const received = await receive(context, call, call.params.token !== undefined)
      const id = submittedBefore(context, received)
      return submittedJson(id ?? storedRecord(submit(context, respondentOf(context, received))).id)
    }
    return asPage(context, async () => {
      const received = await receive(context, call, call.params.token !== undefined)
      if (submittedBefore(context, received) !== undefined) return thanks(call)
      return keepingAnswers(context, received, () => {
        const respondent = respondentOf(context, received)
        const outcome = submit(context, respondent)
        return outcome.ok ? thanks(call) : refusedPage(context, respondent, outcome)
      })
    })
  }

  const saveDraft = async (call: RouteCall): Promise<OutgoingMessage> => {
    if (!respondsWithPage(call.request)) {
      const status = call.params.token === undefined ? 201 : 200
      const received = await receive(context, call, false)
      return savedJson(storedRecord(save(context, respondentOf(context, received))), status)
    }
    return asPage(context, async () => {
      const received = await receive(context, call, false)
      return keepingAnswers(context, received, () => {
        const respondent = respondentOf(context, received)
        const outcome = save(context, respondent)
        if (!outcome.ok) return refusedPage(context, respondent, outcome)
        const { path } = draftLink(pageForm(context, outcome.open), outcome.record.draft?.token ?? '')
        return redirect(`${path}/saved`)
      })
    })
  }

  return [
    assetRoute,
    { method: 'GET', pattern: '/f/:slug', run: showForm },
    { method: 'POST', pattern: '/f/:slug', run: submitResponse },
    { method: 'GET', pattern: '/f/:slug/thanks', run: showThanks },
    { method: 'POST', pattern: '/f/:slug/files', run: (call) => upload(context, call) },
    { method: 'POST', pattern: '/f/:slug/drafts', run: saveDraft },
    { method: 'GET', pattern: '/f/:slug/drafts/:token', run: showDraft },
    { method: 'PUT', pattern: '/f/:slug/drafts/:token', run: saveDraft },
    // For pages without JavaScript: HTML forms cannot send PUT.
    { method: 'POST', pattern: '/f/:slug/drafts/:token', run: saveDraft },
    { method: 'GET', pattern: '/f/:slug/drafts/:token/saved', run: showSaved },
    { method: 'POST', pattern: '/f/:slug/drafts/:token/submit', run: submitResponse },
  ]
}
