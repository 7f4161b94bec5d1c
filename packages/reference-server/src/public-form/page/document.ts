import { fontPreloads } from '../../fonts/assets.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { pageHeaders } from '../../http/static-files.ts'
import type { PublishedForm } from '../open-form.ts'
import { Html, html } from './html.ts'
import { languageOf } from './language.ts'

/** Sent with every page of the public form and with its files. */
export const PAGE_HEADERS = pageHeaders("form-action 'self'", "base-uri 'none'")

/** Path of the script and style sheet of the pages. */
export const ASSETS_ROOT = '/f/assets'

const FONTS = new Html(fontPreloads(ASSETS_ROOT))

/** The form that a page belongs to. It decides the language, the logo and the colour of the page. */
export interface PageForm extends PublishedForm {
  /** Base URL of public links, without a trailing slash. */
  readonly publicUrl: string
}

export interface Page {
  readonly status: number
  readonly title: string
  readonly main: Html
  /** @default a page without a form */
  readonly of?: PageForm
  /** Code of the error shown, for programs that read the page. */
  readonly errorCode?: string
}

/** Length of the description that a preview of the link shows, in UTF-16 units. */
const DESCRIPTION_LENGTH = 200

/** What a preview of the link shows (Open Graph). It never contains the token of a draft. */
function preview({ form, publication, publicUrl }: PageForm): Html {
  const { intro, logo } = publication.appearance ?? {}
  const url = `${publicUrl}/f/${form.slug}`
  const description = intro?.replace(/\s+/g, ' ').trim().slice(0, DESCRIPTION_LENGTH)
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${publication.title}">
<meta property="og:url" content="${url}">
${
  description &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
`
}${
  logo &&
  html`<meta property="og:image" content="${url}/logo">
`
}`
}

/**
 * Says who keeps a page. Pages are personal, so no cache does. The browser of the respondent keeps one with an error for the back
 * button: it is the response to a form post, which the browser would have to send again.
 */
const cacheControl = (status: number): string => (status < 400 ? 'no-store' : 'private, no-cache')

/** Returns a whole page. */
export function sendPage({ status, title, main, of, errorCode }: Page): OutgoingMessage {
  const { lang, dir, english } = languageOf(of?.publication)
  const theme =
    of?.publication.appearance?.accent &&
    html`<link rel="stylesheet" href="/f/${of.form.slug}/theme.css">
`
  const body = html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${of && preview(of)}<link rel="icon" href="${ASSETS_ROOT}/icon.svg" type="image/svg+xml">
${FONTS}
<link rel="stylesheet" href="${ASSETS_ROOT}/form.css">
${theme}<script type="module" src="${ASSETS_ROOT}/form.js"></script>
</head>
<body data-error="${errorCode ?? ''}">
<main>
${main}
</main>
<footer class="made"${english}><img src="${ASSETS_ROOT}/icon.svg" alt="" width="20" height="20"> Made with <strong>Formwire</strong></footer>
</body>
</html>
`
  const headers = {
    ...PAGE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': cacheControl(status),
  }
  return { status, headers, body: body.text }
}

/** Returns the logo and the title of a form, for the start of its pages. */
export function heading({ form, publication }: PublishedForm): Html {
  // The title names the form already, so the logo has no alternative text.
  const logo =
    publication.appearance?.logo &&
    html`<img class="logo" src="/f/${form.slug}/logo" alt="">
`
  return html`${logo}<h1><bdi>${publication.title}</bdi></h1>`
}

/** 303 to a page of this server, so that a reload repeats nothing. */
export const redirect = (path: string): OutgoingMessage => ({
  status: 303,
  headers: { ...PAGE_HEADERS, location: path, 'cache-control': 'no-store' },
  body: null,
})
