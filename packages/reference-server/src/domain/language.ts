import { LANGUAGE_MAX_LENGTH } from '@formwire/contract'
import { accepted, type Result, refused } from './result.ts'

/** Reads the language of a form; `null` clears it. A refusal's message follows the name of the field. */
export function readLanguage(value: unknown): Result<string | null> {
  if (value === null) return accepted(null)
  const known =
    typeof value === 'string' && value.length <= LANGUAGE_MAX_LENGTH ? canonicalTag(value) : undefined
  return known === undefined
    ? refused({ message: 'must be a BCP 47 language tag, such as "en" or "pt-BR", or null.' })
    : accepted(known)
}

function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
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
export function directionOf(language: string | null, title: string): 'ltr' | 'rtl' {
  const isRtl =
    language === null
      ? RTL_LETTER.test(FIRST_LETTER.exec(title)?.[0] ?? '')
      : RTL_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '')
  return isRtl ? 'rtl' : 'ltr'
}
