import { replaceStray } from '@formwire/internal/invisible'
import { type Outcome, RECEIVER_CHECKS, type ReceiverCheckEntry } from './checks.ts'

/** The reason when the receiver closed the connection. */
export const CLOSED = 'the connection was closed'

/** Returns what is wrong in the receiver and how to fix it, in one sentence. */
export function hintFor(entry: ReceiverCheckEntry, outcome: Outcome): string {
  const { status } = outcome
  // Many servers close the connection in the middle of a body that is too large for them.
  if (status === null && outcome.reason === CLOSED && entry === RECEIVER_CHECKS.large_body) return entry.hint
  if (status === null) {
    return entry.expected === '2xx'
      ? `The receiver sent no response (${outcome.reason}): respond to every delivery, within 10 seconds, before any long work.`
      : `The receiver sent no response (${outcome.reason}) to a delivery that it must refuse: respond with 400 or 401.`
  }
  if (status >= 300 && status < 400) {
    return `The receiver redirects with ${status}, and the service does not follow redirects: respond at this URL itself.`
  }
  if (entry.expected === '4xx' && status >= 500) {
    return `The receiver fails with ${status} on a request that it must refuse: catch the error, and respond with 400 or 401.`
  }
  if (entry === RECEIVER_CHECKS.genuine && isUnhandled(status)) {
    return `Nothing handles a POST to this URL (${status}): check the path of the URL and the method of the route.`
  }
  if (entry === RECEIVER_CHECKS.genuine && status >= 500) {
    return `The receiver fails with ${status} on a genuine delivery: see its log. If a body parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before the parser.`
  }
  return entry.hint
}

/** Whether a status says that there is no receiver at the URL, so that the other checks would only repeat it. */
export const isUnhandled = (status: number | null): boolean => status === 404 || status === 405

/** Characters to look at: far fewer than are read, so that a secret at the end of these is still whole. */
const MAX_READ = 300
const MAX_SHOWN = 120
/** A shorter rest of a secret is an ordinary word. */
const MIN_HIDDEN = 8

/** Returns the start of a response body on one line, printable and without the secret. Empty for a page, whose start says nothing. */
export function excerptOf(text: string, secret: string): string {
  if (/^\s*<[!?a-z]/i.test(text)) return ''
  const rest = secret.replace(/^whsec_/, '')
  const parts = rest.length < MIN_HIDDEN ? [secret] : [secret, rest]
  const hidden = parts.reduce((shown, part) => shown.replaceAll(part, '(secret)'), text)
  const line = replaceStray(hidden.slice(0, MAX_READ), () => ' ').replace(/[\p{Cs}\s]+/gu, ' ')
  const characters = [...line.trim()]
  if (characters.length <= MAX_SHOWN) return characters.join('')
  return `${characters.slice(0, MAX_SHOWN).join('')}…`
}
