import { byNumber, byText, OrderedMap } from '../collections/ordered-map.ts'
import { Forkable } from './table.ts'

/** Milliseconds for which a page of a form can be submitted: a week. */
const SUBMIT_TOKEN_MS = 604_800_000

/** Maximum number of used tokens that are remembered. Beyond it, the pages opened earliest expire sooner. */
const MAX_USED = 50_000

/** A page that was submitted, and the response that it became. */
export interface UsedToken {
  readonly token: string
  readonly formId: string
  readonly responseId: number
}

export interface SubmitTokensDump {
  /** Number of tokens issued so far. */
  readonly issued: number
  /** The latest token that was forgotten. It and all earlier ones have expired. */
  readonly expiredUpTo: string | null
  readonly used: readonly UsedToken[]
}

/** What a token permits. */
export type TokenStatus =
  /** The page may be submitted. */
  | { readonly kind: 'unused' }
  /** The page was submitted before. */
  | { readonly kind: 'used'; readonly responseId: number }
  /** It is not known whether the page was submitted before: it was opened too long ago, or under another clock. */
  | { readonly kind: 'expired' }

/** Position in the order of issue. */
interface TokenKey {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  /** Orders the tokens of one instant. */
  readonly number: number
  readonly token: string
}

const byIssue = (a: TokenKey, b: TokenKey): number =>
  byNumber(a.issuedAt, b.issuedAt) || byNumber(a.number, b.number) || byText(a.token, b.token)

const TOKEN = /^(-?\d{1,15})\.(\d{1,15})\.[0-9A-Za-z]{1,40}$/

/** Reads when a token was issued; `undefined` for a text that is not a token. */
export function readSubmitToken(token: string): TokenKey | undefined {
  const match = TOKEN.exec(token)
  return match ? { issuedAt: Number(match[1]), number: Number(match[2]), token } : undefined
}

/**
 * One-use tokens in the pages of forms, which make a second press of Submit and a reload harmless. A token contains the
 * instant of its issue, so only used ones are stored: a week of them at most, and at most 50,000. Forgetting one expires all
 * that were issued before it, so no page is ever stored twice.
 */
export class SubmitTokensTable extends Forkable {
  protected readonly maxUsed: number
  protected used = new OrderedMap<TokenKey, UsedToken>(byIssue)
  protected issued = 0
  protected expiredUpTo: TokenKey | null = null

  constructor(maxUsed = MAX_USED) {
    super()
    this.maxUsed = maxUsed
  }

  /** Returns the token of a new page. `secret` makes it unguessable: 1 to 40 letters and digits. */
  issue(now: number, secret: string): string {
    this.issued += 1
    return `${now}.${this.issued}.${secret}`
  }

  /** Returns what a token permits for a form at an instant. */
  statusOf(token: string, formId: string, now: number): TokenStatus {
    const place = readSubmitToken(token)
    if (!place) return { kind: 'expired' }
    const used = this.used.get(place)
    if (used)
      return used.formId === formId ? { kind: 'used', responseId: used.responseId } : { kind: 'expired' }
    const isExpired =
      place.issuedAt > now ||
      place.issuedAt <= now - SUBMIT_TOKEN_MS ||
      (this.expiredUpTo !== null && byIssue(place, this.expiredUpTo) <= 0)
    return { kind: isExpired ? 'expired' : 'unused' }
  }

  /** Marks an unused token as used. */
  use(used: UsedToken, now: number): void {
    const place = readSubmitToken(used.token)
    if (!place) throw new Error('Not a token of a form page.')
    this.used.set(place, used)
    for (;;) {
      const oldest = this.used.at(0)?.[0]
      if (!oldest || (this.used.size <= this.maxUsed && oldest.issuedAt > now - SUBMIT_TOKEN_MS)) return
      this.used.delete(oldest)
      this.expiredUpTo = oldest
    }
  }

  dump(): SubmitTokensDump {
    return {
      issued: this.issued,
      expiredUpTo: this.expiredUpTo?.token ?? null,
      used: [...this.used.values()],
    }
  }

  load({ issued, expiredUpTo, used }: SubmitTokensDump): this {
    for (const one of used) this.used.set(readSubmitToken(one.token) as TokenKey, one)
    this.issued = issued
    this.expiredUpTo = readSubmitToken(expiredUpTo ?? '') ?? null
    return this
  }
}
