import type { ServiceError } from '../../domain/service-error.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { DraftGoneError, FormClosedError } from '../open-form.ts'
import { heading, type PageForm, sendPage } from './document.ts'
import { type Html, html } from './html.ts'
import { languageOf } from './language.ts'

/** Marks of pages without a form, on a grid of 24 by 24. */
const MARKS = {
  done: 'M5 12.5l4.5 4.5L19 7.5',
  closed: 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z',
  early: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  missing: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  failed: 'M12 4v10M12 19h.01',
} as const

interface Message {
  readonly mark: keyof typeof MARKS
  readonly title: string
  /** Title of the window. @default `title` */
  readonly windowTitle?: string
  readonly text: Html | string
  /** What people do next: the path of a page, and the text of its link. */
  readonly next?: readonly [href: string, text: string]
  /** The form that the page belongs to. @default none: the message has the heading of the page */
  readonly of?: PageForm | undefined
}

/** Returns a page without the questions of a form: 200, or that of an error. */
function messagePage(
  { mark, title, windowTitle = title, text, next, of }: Message,
  error?: ServiceError,
): OutgoingMessage {
  const { english } = languageOf(of?.publication)
  const icon = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="${MARKS[mark]}"/></svg>`
  const head = of ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`
  const link = next && html`<p><a class="button" href="${next[0]}">${next[1]}</a></p>`
  const main = html`${of && heading(of)}
<section class="message ${mark}"${english}>${icon}${head}${text}${link}</section>`
  return sendPage({ status: error?.status ?? 200, title: windowTitle, main, of, errorCode: error?.code })
}

/** Returns the page after a submission. */
export const thanksPage = (of: PageForm): OutgoingMessage =>
  messagePage({
    mark: 'done',
    title: 'Thank you',
    windowTitle: `Thank you: ${of.publication.title}`,
    text: html`<p>Your response has been recorded.</p>
<p>If you go back and submit again, that may be recorded as another response.</p>`,
    of,
  })

/** Returns the path of a draft, and its URL as respondents may keep it. */
export function draftLink({ form, publicUrl }: PageForm, token: string): { path: string; url: string } {
  const path = `/f/${form.slug}/drafts/${encodeURIComponent(token)}`
  return { path, url: publicUrl + path }
}

/** Returns the page after saving a draft without the script. Its link is the only access to the draft. */
export function savedPage(of: PageForm, token: string): OutgoingMessage {
  const { path, url } = draftLink(of, token)
  return messagePage({
    mark: 'done',
    title: 'Your draft is saved',
    windowTitle: `Saved: ${of.publication.title}`,
    text: html`<p>Keep this link. Anyone who has it can read, change and submit your answers.</p>
<p class="link">${url}</p>`,
    next: [path, 'Continue your draft'],
    of,
  })
}

/** Renders an instant in UTC. */
function instant(at: number): Html {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
  const time = date.toISOString().slice(11, 16)
  return html`<time datetime="${date.toISOString()}">${day} at ${time} UTC</time>`
}

export const closedTitle = ({ opensAt }: FormClosedError): string =>
  opensAt === undefined ? 'This form is closed' : 'This form is not open yet'

export function errorPage(error: ServiceError): OutgoingMessage {
  const isOfForm = error instanceof DraftGoneError || error instanceof FormClosedError
  return messagePage({ ...messageOf(error), of: isOfForm ? error.published : undefined }, error)
}

function messageOf(error: ServiceError): Message {
  if (error instanceof DraftGoneError) {
    const text = html`<p>It was submitted or deleted, or the link is incomplete.</p>`
    const next = [`/f/${error.published.form.slug}`, 'Start a new response'] as const
    return { mark: 'missing', title: 'Draft not found', text, next }
  }
  if (error instanceof FormClosedError) {
    const { opensAt, reason, message } = error
    const title = closedTitle(error)
    if (opensAt !== undefined)
      return { mark: 'early', title, text: html`<p>It opens on ${instant(opensAt)}.</p>` }
    const ask = 'If you still want to respond, ask the person who sent it to you.'
    return { mark: 'closed', title, text: html`<p>${reason === 'closed' ? ask : message}</p>` }
  }
  if (error.code === 'not_found') {
    const text = html`<p>Check the link, or ask the person who sent it to you.</p>`
    return { mark: 'missing', title: 'Form not found', text }
  }
  return { mark: 'failed', title: 'Something went wrong', text: html`<p>${error.message}</p>` }
}
