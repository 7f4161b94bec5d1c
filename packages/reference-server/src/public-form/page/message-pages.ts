import type { ServiceError } from '../../domain/service-error.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { DraftGoneError } from '../find-draft.ts'
import { FormClosedError, type OpenForm } from '../open-form.ts'
import { sendPage } from './document.ts'
import { type Html, html } from './html.ts'

/** Returns the 201 page after a submission. */
export function thanksPage({ form, publication }: OpenForm, query: string): OutgoingMessage {
  const main = html`<h1 dir="auto">${publication.title}</h1>
<section class="message"><h2>Thank you</h2><p>Your response has been recorded.</p>
<p><a href="/f/${form.slug}${query}">Submit another response</a></p></section>`
  return sendPage({ status: 201, title: `Thank you: ${publication.title}`, main })
}

/** Returns the page after saving a draft without the script. Its link is the only access to the draft. */
export function savedPage({ form, publication }: OpenForm, token: string, status: number): OutgoingMessage {
  const link = `/f/${form.slug}/drafts/${encodeURIComponent(token)}`
  const main = html`<h1 dir="auto">${publication.title}</h1>
<section class="message"><h2>Your draft is saved</h2>
<p>Keep this link. Anyone who has it can read, change and submit your answers.</p>
<p><a href="${link}">Continue your draft</a></p></section>`
  return sendPage({ status, title: `Saved: ${publication.title}`, main })
}

const HEADINGS: Readonly<Record<string, string>> = {
  form_closed: 'This form is closed',
  not_found: 'Form not found',
  bad_request: 'Something went wrong',
}

/** Renders an instant in UTC. The script replaces it with local time. */
function instant(at: number): Html {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
  const time = date.toISOString().slice(11, 16)
  return html`<time datetime="${date.toISOString()}" data-instant="">${day} at ${time} UTC</time>`
}

/** Returns the page of a form that opens later. */
function notOpenPage(error: FormClosedError, opensAt: number): OutgoingMessage {
  const heading = 'This form is not open yet'
  const main = html`<h1 dir="auto">${error.title}</h1><section class="message"><h2>${heading}</h2><p>It opens on ${instant(opensAt)}.</p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}

/** Returns the page for a draft that was submitted or deleted while its form is open. */
function draftGonePage(error: DraftGoneError): OutgoingMessage {
  const heading = 'Draft not found'
  const main = html`<h1 dir="auto">${error.title}</h1>
<section class="message"><h2>${heading}</h2><p>It was submitted or deleted, or the link is incomplete.</p>
<p><a href="${error.formPath}">Start a new response</a></p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}

/** Returns the page of an error. */
export function errorPage(error: ServiceError): OutgoingMessage {
  if (error instanceof DraftGoneError) return draftGonePage(error)
  if (error instanceof FormClosedError && error.opensAt !== undefined)
    return notOpenPage(error, error.opensAt)
  const heading = HEADINGS[error.code] ?? 'Something went wrong'
  const explanation =
    error.code === 'not_found' ? 'Check the link, or ask the person who sent it to you.' : error.message
  const main =
    error instanceof FormClosedError
      ? html`<h1 dir="auto">${error.title}</h1><section class="message"><h2>${heading}</h2><p>${explanation}</p></section>`
      : html`<section class="message"><h1>${heading}</h1><p>${explanation}</p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}
