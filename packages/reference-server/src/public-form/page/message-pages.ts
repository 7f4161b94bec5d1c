import type { ServiceError } from '../../http/errors.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { DraftGoneError } from '../find-draft.ts'
import { FormClosedError, type OpenForm } from '../open-form.ts'
import { sendPage } from './document.ts'
import { type Html, html } from './html.ts'

/** 201 after a submission. */
export function thanksPage({ form, publication }: OpenForm, query: string): OutgoingMessage {
  const main = html`<h1 dir="auto">${publication.title}</h1>
<section class="message"><h2>Thank you</h2><p>Your response was recorded.</p>
<p><a href="/f/${form.slug}${query}">Submit another response</a></p></section>`
  return sendPage({ status: 201, title: `Thank you: ${publication.title}`, main })
}

/** After a draft was saved without the script: the link is the only way back to it. */
export function savedPage({ form, publication }: OpenForm, token: string, status: number): OutgoingMessage {
  const link = `/f/${form.slug}/drafts/${encodeURIComponent(token)}`
  const main = html`<h1 dir="auto">${publication.title}</h1>
<section class="message"><h2>Your draft is saved</h2>
<p>Keep this link: whoever has it can read, change and submit your answers.</p>
<p><a href="${link}">Go on with your draft</a></p></section>`
  return sendPage({ status, title: `Saved: ${publication.title}`, main })
}

const HEADINGS: Readonly<Record<string, string>> = {
  form_closed: 'This form is closed',
  not_found: 'There is no such form',
  bad_request: 'That could not be read',
}

/** An instant for a person. The script puts it into the time of whoever reads it. */
function instant(at: number): Html {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
  const time = date.toISOString().slice(11, 16)
  return html`<time datetime="${date.toISOString()}" data-instant="">${day} at ${time} UTC</time>`
}

/** A form that will open: it is not closed, one only has to come back. */
function notOpenPage(error: FormClosedError, opensAt: number): OutgoingMessage {
  const heading = 'This form is not open yet'
  const main = html`<h1 dir="auto">${error.title}</h1><section class="message"><h2>${heading}</h2><p>It opens on ${instant(opensAt)}.</p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}

/** A draft that was submitted, on another device or before going back: the form itself is open. */
function draftGonePage(error: DraftGoneError): OutgoingMessage {
  const heading = 'This draft is no longer there'
  const main = html`<h1 dir="auto">${error.title}</h1>
<section class="message"><h2>${heading}</h2><p>It was submitted or deleted, or the link to it is not whole.</p>
<p><a href="${error.formPath}">Begin a new response</a></p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}

/** A refusal, for a person. */
export function errorPage(error: ServiceError): OutgoingMessage {
  if (error instanceof DraftGoneError) return draftGonePage(error)
  if (error instanceof FormClosedError && error.opensAt !== undefined)
    return notOpenPage(error, error.opensAt)
  const heading = HEADINGS[error.code] ?? 'That did not work'
  const explanation =
    error.code === 'not_found' ? 'Check the link, or ask whoever gave it to you.' : error.message
  const main =
    error instanceof FormClosedError
      ? html`<h1 dir="auto">${error.title}</h1><section class="message"><h2>${heading}</h2><p>${explanation}</p></section>`
      : html`<section class="message"><h1>${heading}</h1><p>${explanation}</p></section>`
  return sendPage({ status: error.status, title: heading, main, errorCode: error.code })
}
