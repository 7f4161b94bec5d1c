import type { ServiceError } from '../../domain/service-error.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { DraftGoneError, FormClosedError } from '../open-form.ts'
import { heading, type PageForm, sendPage } from './document.ts'
import { type Html, html } from './html.ts'
import { languageOf } from './language.ts'

/** Returns the page after a submission. It links to the form if that is open. */
export function thanksPage(of: PageForm, query: string, isOpen: boolean): OutgoingMessage {
  const { english } = languageOf(of.publication)
  const main = html`${heading(of)}
<section class="message done"${english}><h2>Thank you</h2><p>Your response has been recorded.</p>
${isOpen && html`<p><a href="/f/${of.form.slug}${query}">Submit another response</a></p>`}</section>`
  return sendPage({ status: 200, title: `Thank you: ${of.publication.title}`, main, of })
}

/** Returns the path of a draft, and its URL as respondents may keep it. */
export function draftLink({ form, publicUrl }: PageForm, token: string): { path: string; url: string } {
  const path = `/f/${form.slug}/drafts/${encodeURIComponent(token)}`
  return { path, url: publicUrl + path }
}

/** Returns the page after saving a draft without the script. Its link is the only access to the draft. */
export function savedPage(of: PageForm, token: string): OutgoingMessage {
  const { english } = languageOf(of.publication)
  const { path, url } = draftLink(of, token)
  const main = html`${heading(of)}
<section class="message done"${english}><h2>Your draft is saved</h2>
<p>Keep this link. Anyone who has it can read, change and submit your answers.</p>
<p class="link">${url}</p>
<p><a href="${path}">Continue your draft</a></p></section>`
  return sendPage({ status: 200, title: `Saved: ${of.publication.title}`, main, of })
}

/** Renders an instant in UTC. The script replaces it with local time. */
function instant(at: number): Html {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
  const time = date.toISOString().slice(11, 16)
  return html`<time datetime="${date.toISOString()}" data-instant="">${day} at ${time} UTC</time>`
}

/** Returns the page of a form that accepts no responses at this instant. */
function closedPage(error: FormClosedError, publicUrl: string): OutgoingMessage {
  const of = { ...error.published, publicUrl }
  const { english } = languageOf(of.publication)
  const isEarly = error.opensAt !== undefined
  const title = isEarly ? 'This form is not open yet' : 'This form is closed'
  const explanation = isEarly ? html`It opens on ${instant(error.opensAt)}.` : error.message
  const main = html`${heading(of)}<section class="message"${english}><h2>${title}</h2><p>${explanation}</p></section>`
  return sendPage({ status: error.status, title, main, of, errorCode: error.code })
}

/** Returns the page for a draft that was submitted or deleted while its form is open. */
function draftGonePage(error: DraftGoneError, publicUrl: string): OutgoingMessage {
  const of = { ...error.open, publicUrl }
  const { english } = languageOf(of.publication)
  const title = 'Draft not found'
  const main = html`${heading(of)}
<section class="message"${english}><h2>${title}</h2><p>It was submitted or deleted, or the link is incomplete.</p>
<p><a href="/f/${of.form.slug}">Start a new response</a></p></section>`
  return sendPage({ status: error.status, title, main, of, errorCode: error.code })
}

/** Returns the page of an error. */
export function errorPage(error: ServiceError, publicUrl: string): OutgoingMessage {
  if (error instanceof DraftGoneError) return draftGonePage(error, publicUrl)
  if (error instanceof FormClosedError) return closedPage(error, publicUrl)
  const isMissing = error.code === 'not_found'
  const title = isMissing ? 'Form not found' : 'Something went wrong'
  const explanation = isMissing ? 'Check the link, or ask the person who sent it to you.' : error.message
  const main = html`<section class="message"><h1>${title}</h1><p>${explanation}</p></section>`
  return sendPage({ status: error.status, title, main, errorCode: error.code })
}
