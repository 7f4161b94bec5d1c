/**
 * Characters that cannot be seen, or that move what stands around them: controls, line ends, and format characters such
 * as U+202E, which turns the rest of its line, or U+2069, which ends an isolation.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text without them, for places that cannot isolate it, such as the tab's title. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, ' ')

/** JSON text with them as `\uXXXX`, which is the same JSON. Line ends of its own layout stay. */
export const escapeUnseen = (json: string): string =>
  json.replace(UNSEEN, (character) =>
    character === '\n'
      ? character
      : Array.from(
          { length: character.length },
          (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
  )
