/**
 * Characters that are invisible or affect the text around them: control characters, line ends, and format characters such
 * as U+202E, which reverses the rest of the line, or U+2069, which ends an isolate.
 */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Replaces invisible characters with spaces, for places that cannot isolate a text, such as the title of the tab. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, ' ')

/** Escapes invisible characters in JSON text as `\uXXXX`. Keeps line ends and tabs, which JSON has between values only. */
export const escapeInvisible = (json: string): string =>
  json.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : Array.from(
          { length: character.length },
          (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
  )
