/**
 * Characters that are invisible or affect the text around them: control characters, line ends, format characters such as U+202E, which
 * reverses the rest of the line, and others that have no glyph, such as fillers and the tag characters, which only programs read.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Those that are part of a visible character: the selector and the joiner of an emoji, the variant of a Han character, as in Japanese
 * names, and a joiner after a letter of a script that is not written correctly without it. At most one each, so that no text can be
 * hidden in them; for the same reason, the sixteen first of 240 variants.
 */
const PART_OF_VISIBLE =
  /\p{Emoji}[\ufe0e\ufe0f]|\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e010f}]|(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})|(?!\u061c)[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}][\u200c\u200d]/u

const STRAY = new RegExp(`${INVISIBLE.source}(?<!${PART_OF_VISIBLE.source})`, 'gu')

/** Matches a text without {@link INVISIBLE} characters much faster than they are searched for. Not every such text: only common letters. */
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u034e\u0370-\u05ff\u2010-\u2027\u3000-\u3163\u4e00-\ud7ff]*$/

/** Whether a text has a character that is invisible or affects the text around it. */
export const hasInvisible = (text: string): boolean => !PLAIN.test(text) && text.search(INVISIBLE) !== -1

/** Returns the text with every invisible character replaced. */
export const replaceInvisible = (text: string, replacement: (character: string) => string): string =>
  PLAIN.test(text) ? text : text.replace(INVISIBLE, replacement)

/** Returns the text with its invisible characters replaced, except those that are part of a visible one, such as an emoji. */
export const replaceStray = (text: string, replacement: (character: string) => string): string =>
  PLAIN.test(text) ? text : text.replace(STRAY, replacement)

/** Returns a character as `\uXXXX`, with a second escape beyond U+FFFF: valid in JSON and in code. */
export const escapedCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

const isLayout = (character: string): boolean => character === '\n' || character === '\t'

const escapedInJson = (character: string): string =>
  isLayout(character) ? character : escapedCharacter(character)

/** Escapes every invisible character in JSON text as `\uXXXX`. Keeps line feeds and tabs, which JSON has between values only. */
export const escapeInvisible = (json: string): string => replaceInvisible(json, escapedInJson)

/** Escapes invisible characters in JSON text as {@link escapeInvisible}, except those that are part of a visible one. */
export const escapeStray = (json: string): string => replaceStray(json, escapedInJson)

/**
 * Returns untrusted text with each stray invisible character as `<U+202E>` and each lone surrogate as U+FFFD. Keeps line feeds and tabs. A
 * longer text is cut, and ends with its original length.
 */
export function visibleText(text: string, maxLength: number): string {
  const isLonger = text.length > maxLength
  // Does not cut a surrogate pair in half.
  const start = isLonger ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text
  const shown = replaceStray(start.replace(/\p{Cs}/gu, '\ufffd'), (character) =>
    isLayout(character)
      ? character
      : `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`,
  )
  if (!isLonger && shown.length <= maxLength) return shown
  const cut = shown.slice(0, maxLength).replace(/[\ud800-\udbff]$|<(?:U(?:\+[\dA-F]*)?)?$/, '')
  return `${cut}… (${text.length} characters in all)`
}
