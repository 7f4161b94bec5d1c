import type { Publication } from '../../domain/form.ts'
import { directionOf } from '../../domain/language.ts'
import { Html } from './html.ts'

/** What the language of a form decides about its pages. */
export interface PageLanguage {
  /** BCP 47 tag. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** Attributes of elements with a fixed English text, such as buttons; empty in an English page. */
  readonly english: Html
  /**
   * Attributes of fields for text. A page from right to left needs none: browsers treat an empty field with
   * `dir="auto"` as left to right.
   */
  readonly typed: Html
}

const ENGLISH = new Html('')
const ENGLISH_PART = new Html(' lang="en" dir="ltr"')
const TYPED = new Html(' dir="auto"')
const TYPED_RTL = new Html('')

/** Returns the language of a form's pages, and English without a form. */
export function languageOf(publication?: Pick<Publication, 'language' | 'title'>): PageLanguage {
  const { language = null, title = '' } = publication ?? {}
  const lang = language ?? 'en'
  const dir = directionOf(language, title)
  const isEnglish = dir === 'ltr' && /^en\b/.test(lang)
  return { lang, dir, english: isEnglish ? ENGLISH : ENGLISH_PART, typed: dir === 'rtl' ? TYPED_RTL : TYPED }
}
