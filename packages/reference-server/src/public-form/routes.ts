import { LOGO } from '@formwire/internal/logo'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../domain/instant.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { invalid, orNotFound } from '../domain/service-error.ts'
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
  type FoundForm,
  findDraft,
  type OpenForm,
  openForm,
  publicQuestion,
  publishedForm,
  requireOpen,
} from './open-form.ts'
import { ASSETS_ROOT, PAGE_HEADERS, redirect } from './page/document.ts'
import { draftLink, savedPage, thanksPage } from './page/message-pages.ts'
import { asPage, openPage, storePage } from './pages.ts'
import { type Received, receive, respondentOf, save, submit, submittedBefore } from './respond.ts'
import { upload } from './uploads.ts'

/** The routes of the public form at `/f/{slug}`. No key is required. */
export function publicFormRoutes(context: Context): readonly Route[] {
  /** Browsers name `text/html`. Other clients get the page too, but errors as JSON. */
  const showPage = (call: RouteCall, show: () => OutgoingMessage): ResponseOrPromise =>
    preferred(call.request) === 'page' ? asPage(show) : show()

  const findOwnDraft = ({ params }: RouteCall) => {
    const open = openForm(context, params.slug ?? '')
    return { open, draft: findDraft(context, open, params.token ?? '') }
  }

  const showForm = (call: RouteCall): ResponseOrPromise => {
    const open = () => openForm(context, call.params.slug ?? '')
    if (preferred(call.request) === 'json') return formJson(open())
    return showPage(call, () => openPage(context, { open: open() }, call))
  }

  const showDraft = (call: RouteCall): ResponseOrPromise => {
    if (preferred(call.request) !== 'page') return draftJson(context, findOwnDraft(call).draft)
    return asPage(() => openPage(context, findOwnDraft(call), call))
  }

  const showSaved = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => {
      const { open, draft } = findOwnDraft(call)
      return savedPage(open, draft.draft?.token ?? '')
    })

  /** Shows no data, so that a form without responses, or one that is full now, has this page too. */
  const showThanks = (call: RouteCall): ResponseOrPromise =>
    showPage(call, () => thanksPage(publishedForm(context, call.params.slug ?? '')))

  /** Receives what a browser or a program sends, and responds to it with a page or with JSON. */
  const receiving = (
    call: RouteCall,
    isOptional: boolean,
    respond: (received: Received, published: FoundForm, isPage: boolean) => OutgoingMessage,
  ): Promise<OutgoingMessage> => {
    const isPage = respondsWithPage(call.request)
    const work = async () => {
      const received = await receive(context, call, isOptional)
      return respond(received, publishedForm(context, received.slug), isPage)
    }
    return isPage ? asPage(work) : work()
  }

  const submitResponse = (call: RouteCall): Promise<OutgoingMessage> =>
    receiving(call, call.params.token !== undefined, (received, published, isPage) => {
      const thanks = () =>
        redirect(`/f/${received.slug}/thanks${attributionQuery(received.visit.attribution)}`)
      const before = submittedBefore(context, published, received)
      if (isPage)
        return before === undefined ? storePage(context, received, published, submit, thanks) : thanks()
      return item({ id: before ?? stored(submit, received, published).id, status: 'submitted' }, 201)
    })

  const saveDraft = (call: RouteCall): Promise<OutgoingMessage> =>
    receiving(call, false, (received, published, isPage) => {
      if (isPage)
        return storePage(context, received, published, save, ({ draft }, open) =>
          redirect(`${draftLink(open, draft?.token ?? '').path}/saved`),
        )
      const record = stored(save, received, published)
      // The token grants access to the draft; the entity tag is its version.
      const response = item({ token: record.draft?.token }, received.token === undefined ? 201 : 200)
      response.headers.etag = `"${draftVersion(record)}"`
      return response
    })

  /** Returns the stored record. Throws 422 naming the first invalid question if the answers were refused. */
  const stored = (store: typeof submit, received: Received, published: FoundForm): ResponseRecord => {
    const outcome = store(context, respondentOf(context, received, requireOpen(published)))
    if (outcome.ok) return outcome.value
    const [{ field, message }] = outcome.refusal
    throw invalid(field, `${JSON.stringify(field)}: ${message}`)
  }

  /** The script and style sheet of the pages. */
  const sendAsset = async ({ request, params }: RouteCall): Promise<OutgoingMessage> => {
    const asset = orNotFound((await publicFormAssets()).get(params.file ?? ''))
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
function formJson({ form, publication, publicUrl }: OpenForm): OutgoingMessage {
  return item({
    id: form.id,
    title: publication.title,
    slug: form.slug,
    url: `${publicUrl}/f/${form.slug}`,
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
