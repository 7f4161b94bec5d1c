import { LOGO } from '@formwire/internal/logo'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../domain/instant.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { invalid, notFound } from '../domain/service-error.ts'
import { FONT_FACES, fontAssets } from '../fonts/assets.ts'
import { item } from '../http/json-response.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { Route, RouteCall } from '../http/router.ts'
import { compressedFile, SCRIPT_TYPE, STYLE_TYPE, type StaticFile, sendStatic } from '../http/static-files.ts'
import { lazy } from '../lazy.ts'
import { preferred, respondsWithPage } from './form-body.ts'
import { attributionQuery } from './meta.ts'
import {
  draftVersion,
  findDraft,
  type OpenForm,
  openForm,
  publicQuestion,
  publishedForm,
  requireOpen,
} from './open-form.ts'
import { ASSETS_ROOT, PAGE_HEADERS, redirect } from './page/document.ts'
import { draftLink, savedPage, thanksPage } from './page/message-pages.ts'
import { asPage, openPage, pageForm, storePage } from './pages.ts'
import { receive, respondentOf, type SubmissionOutcome, save, submit, submittedBefore } from './respond.ts'
import { upload } from './uploads.ts'

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
    return showPage(call, () => openPage(context, { open: open() }, call))
  }

  const showDraft = (call: RouteCall): ResponseOrPromise => {
    if (preferred(call.request) !== 'page') return draftJson(context, findOwnDraft(call).draft)
    return asPage(context, () => openPage(context, findOwnDraft(call), call))
  }

  const showSaved = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => {
      const { open, draft } = findOwnDraft(call)
      return savedPage(pageForm(context, open), draft.draft?.token ?? '')
    })

  /** Shows no data, so that a form without responses, or one that is full now, has this page too. */
  const showThanks = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => thanksPage(pageForm(context, publishedForm(context, call.params.slug ?? ''))))

  const submitResponse = async (call: RouteCall): Promise<OutgoingMessage> => {
    const isOfDraft = call.params.token !== undefined
    if (!respondsWithPage(call.request)) {
      const received = await receive(context, call, isOfDraft)
      const published = publishedForm(context, received.slug)
      const respond = () => respondentOf(context, received, requireOpen(published))
      const id = submittedBefore(context, published, received)
      return submittedJson(id ?? storedRecord(submit(context, respond())).id)
    }
    return asPage(context, async () => {
      const received = await receive(context, call, isOfDraft)
      const thanks = redirect(`/f/${received.slug}/thanks${attributionQuery(received.visit.attribution)}`)
      const published = publishedForm(context, received.slug)
      if (submittedBefore(context, published, received) !== undefined) return thanks
      return storePage(context, received, published, submit, () => thanks)
    })
  }

  const saveDraft = async (call: RouteCall): Promise<OutgoingMessage> => {
    if (!respondsWithPage(call.request)) {
      const received = await receive(context, call, false)
      const status = received.token === undefined ? 201 : 200
      return savedJson(storedRecord(save(context, respondentOf(context, received))), status)
    }
    return asPage(context, async () => {
      const received = await receive(context, call, false)
      return storePage(context, received, publishedForm(context, received.slug), save, ({ draft }, open) =>
        redirect(`${draftLink(pageForm(context, open), draft?.token ?? '').path}/saved`),
      )
    })
  }

  /** The script and style sheet of the pages. */
  const sendAsset = async ({ request, params }: RouteCall): Promise<OutgoingMessage> => {
    const asset = (await publicFormAssets()).get(params.file ?? '')
    if (!asset) throw notFound()
    return sendStatic(request, asset, PAGE_HEADERS)
  }

  return [
    { method: 'GET', pattern: `${ASSETS_ROOT}/:file`, run: sendAsset },
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

/** Returns the files by name. Built or read on the first call and then cached. */
const publicFormAssets = lazy(async (): Promise<ReadonlyMap<string, StaticFile>> => {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when a form is opened.
  const { bundlePublicForm } = await import('./bundle.ts')
  const { js, css } = await bundlePublicForm()
  return new Map([
    ['form.js', await compressedFile(SCRIPT_TYPE, js)],
    ['form.css', await compressedFile(STYLE_TYPE, FONT_FACES + css)],
    ['icon.svg', await compressedFile('image/svg+xml', LOGO)],
    ...(await fontAssets()),
  ])
})

/** Returns the form as last published (FORM-09). */
function formJson({ settings }: Context, { form, publication }: OpenForm): OutgoingMessage {
  return item({
    id: form.id,
    title: publication.title,
    slug: form.slug,
    url: `${settings.publicUrl}/f/${form.slug}`,
    questions: publication.questions.map(publicQuestion),
  })
}

/** Returns a draft as it was saved. */
function draftJson({ settings }: Context, draft: ResponseRecord): OutgoingMessage {
  const { timestamps } = settings.unspecified
  return item({
    token: draft.draft?.token,
    status: draft.status,
    started_at: formatTimestamp(draft.startedAt, timestamps),
    saved_at: formatTimestamp(draft.at, timestamps),
    email: responseContent(draft).email,
    answers: draft.draft?.answers,
  })
}

/** Returns the stored record. Throws 422 naming the first invalid question if the answers were refused. */
function storedRecord(outcome: SubmissionOutcome): ResponseRecord {
  if (outcome.ok) return outcome.value
  const [{ field, message }] = outcome.refusal
  throw invalid(field, `${JSON.stringify(field)}: ${message}`)
}

/** 201 after a submission, and after its repetition. */
const submittedJson = (id: number): OutgoingMessage => item({ id, status: 'submitted' }, 201)

/** Returns the token of a saved draft, which grants access to it, and its version as an entity tag. */
function savedJson(record: ResponseRecord, status: number): OutgoingMessage {
  const response = item({ token: record.draft?.token }, status)
  response.headers.etag = `"${draftVersion(record)}"`
  return response
}
