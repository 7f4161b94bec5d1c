import { APPEARANCE_LIMITS } from '@formwire/contract'
import type { FormAppearance } from '@formwire/contract/control'
import { accepted, type Result, refused } from './result.ts'

/** How the page of a form looks, next to its title and questions. */
export type Appearance = Readonly<FormAppearance>

/** The appearance of a form that sets nothing. */
export const PLAIN_APPEARANCE: Appearance = { intro: null, language: null, logo: null, accent: null }

/** Reads one field of an appearance. A refusal's message follows the name of the field. */
type Reader = (value: string) => Result<string>

const refuse = (message: string): Result<never> => refused({ message })

const READERS: Readonly<Record<keyof Appearance, Reader>> = {
  intro(text) {
    const { introMaxCodePoints: most } = APPEARANCE_LIMITS
    const fits = text !== '' && text.length <= 2 * most && [...text].length <= most
    return fits ? accepted(text) : refuse(`must be a string of 1 to ${most} characters, or null.`)
  },
  language(tag) {
    const known = tag.length <= APPEARANCE_LIMITS.languageMaxLength ? canonicalTag(tag) : undefined
    return known === undefined
      ? refuse('must be a BCP 47 language tag, such as "en" or "pt-BR", or null.')
      : accepted(known)
  },
  logo(url) {
    return readLogo(url)
      ? accepted(url)
      : refuse(
          `must be a PNG, JPEG, GIF or WebP image of at most ${APPEARANCE_LIMITS.logoMaxBytes} bytes as a data URL, such as "data:image/png;base64,…", or null.`,
        )
  },
  accent(colour) {
    return /^#[0-9a-f]{6}$/i.test(colour)
      ? accepted(colour.toLowerCase())
      : refuse('must be a colour, such as "#3b49cf", or null.')
  },
}

/** The fields of an appearance. */
export const APPEARANCE_FIELDS = Object.keys(READERS) as (keyof Appearance)[]

/** Reads one field of an appearance; `null` clears it. A refusal's message follows the name of the field. */
export function readAppearance(field: keyof Appearance, value: unknown): Result<string | null> {
  if (value === null) return accepted(null)
  // Each reader names what it accepts, so an empty text gets its message.
  return READERS[field](typeof value === 'string' ? value : '')
}

function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** Raster images only: an SVG may contain scripts. */
const LOGO = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/

/** Whether the first bytes, in Latin-1, are those of a type. */
const SIGNATURES: Readonly<Record<string, (start: string) => boolean>> = {
  'image/png': (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': (start) => start.startsWith('\xff\xd8\xff'),
  'image/gif': (start) => /^GIF8[79]a/.test(start),
  'image/webp': (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
}

/** Decodes a data URL; `undefined` unless it is an image of a media type and size that a logo may have. */
export function readLogo(url: string): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const { logoMaxBytes } = APPEARANCE_LIMITS
  // Checked before decoding: base64 has four characters for three bytes, and the prefix is short.
  if (url.length > (logoMaxBytes / 3) * 4 + 50) return undefined
  const [, type, base64] = LOGO.exec(url) ?? []
  if (type === undefined || base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const isOfType = SIGNATURES[type]?.(bytes.toString('latin1', 0, 16))
  return isOfType && bytes.length <= logoMaxBytes ? { type, bytes } : undefined
}

/** Scripts that are written from right to left. */
const RTL_SCRIPTS: ReadonlySet<string> = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Syrc',
  'Thaa',
])

const FIRST_LETTER = /\p{L}/u
const RTL_LETTER =
  /\p{Script=Adlam}|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Mandaic}|\p{Script=Nko}|\p{Script=Hanifi_Rohingya}|\p{Script=Syriac}|\p{Script=Thaana}/u

/** Returns the direction of a form's page: that of its language, or else of the first letter of its title. */
export function directionOf({ language }: Appearance, title: string): 'ltr' | 'rtl' {
  const isRtl =
    language === null
      ? RTL_LETTER.test(FIRST_LETTER.exec(title)?.[0] ?? '')
      : RTL_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '')
  return isRtl ? 'rtl' : 'ltr'
}
