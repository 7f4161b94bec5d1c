import { fontPreloads } from '../../fonts/assets.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { pageHeaders, previewHeaders } from '../../http/static-files.ts'
import type { PublishedForm } from '../open-form.ts'
import { Html, html } from './html.ts'
import { languageOf } from './language.ts'

/** Sent with every page of the public form and with its files. */
export const PAGE_HEADERS = pageHeaders("form-action 'self'", "base-uri 'none'")

const PREVIEW_HEADERS = previewHeaders("base-uri 'none'")

/** A page that shows a form without accepting responses: `static` for a frame, without script and note. All questions are then shown. */
export type Preview = 'page' | 'static'

/** Path of the script and style sheet of the pages. */
export const ASSETS_ROOT = '/f/assets'

const SCRIPT = html`<script type="module" src="${ASSETS_ROOT}/form.js"></script>
`

const NOTE = html`<p class="hint" role="note">Preview: this page accepts no responses.</p>
`

const FONTS = new Html(fontPreloads(ASSETS_ROOT))

/** The form that a page belongs to. It decides the language of the page. */
export interface PageForm extends Pick<PublishedForm, 'publication' | 'publicUrl'> {
  readonly form: Pick<PublishedForm['form'], 'slug'>
}

export interface Page {
  readonly status: number
  readonly title: string
  readonly main: Html
  /** @default a page without a form */
  readonly of?: PageForm | undefined
  /** Code of the error shown, for programs that read the page. */
  readonly errorCode?: string | undefined
  /** @default a page that accepts responses */
  readonly preview?: Preview | undefined
}

/**
 * Says who keeps a page. Pages are personal, so no cache does. The browser of the respondent keeps one with an error for the back
 * button: it is the response to a form post, which the browser would have to send again.
 */
const cacheControl = (status: number): string => (status < 400 ? 'no-store' : 'private, no-cache')

export function sendPage({ status, title, main, of, errorCode, preview }: Page): OutgoingMessage {
  const { lang, dir, english } = languageOf(of?.publication)
  const body = html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="${ASSETS_ROOT}/icon.svg" type="image/svg+xml">
${FONTS}
<link rel="stylesheet" href="${ASSETS_ROOT}/form.css">
${preview === 'static' ? '' : SCRIPT}</head>
<body data-error="${errorCode ?? ''}">
<main>
${preview === 'page' && NOTE}${main}
</main>
<footer class="made"${english}><img src="${ASSETS_ROOT}/icon.svg" alt="" width="20" height="20"> Made with <strong>Formwire</strong></footer>
</body>
</html>
`
  const headers = {
    ...(preview ? PREVIEW_HEADERS : PAGE_HEADERS),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': cacheControl(status),
  }
  return { status, headers, body: body.text }
}

/** Returns the title of a form, for the start of its pages. */
export const heading = ({ publication }: PageForm): Html => html`<h1><bdi>${publication.title}</bdi></h1>`

/** 303 to a page of this server, so that a reload repeats nothing. */
export const redirect = (path: string): OutgoingMessage => ({
  status: 303,
  headers: { ...PAGE_HEADERS, location: path, 'cache-control': 'no-store' },
  body: null,
})
