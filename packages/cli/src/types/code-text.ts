import { escapedCharacter, escapeInvisible, replaceInvisible } from '@formwire/internal/invisible'

const LONE_SURROGATES = /\p{Cs}/gu

/** Code points of a title that a docstring shows. */
const MAX_DOC_LENGTH = 200

/** Returns a string literal of TypeScript in single quotes. */
export function stringLiteral(text: string): string {
  const quoted = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')
  return `'${replaceInvisible(quoted, escapedCharacter).replace(LONE_SURROGATES, escapedCharacter)}'`
}

/** Returns the name of a property in an interface: quoted unless it is an ASCII identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}

/** Returns the name of a member in an object literal. `__proto__: …` would set the prototype of the object. */
export function objectKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name)
}

/** Returns the value as JSON with invisible characters escaped. */
export function codeJson(value: unknown, indent?: number): string {
  return escapeInvisible(JSON.stringify(value, undefined, indent))
}

/**
 * Returns untrusted text for a docstring, in quotes: one line that neither ends the comment nor contains a tag, a link,
 * an image or HTML, all of which editors would act on.
 */
export function docText(text: string): string {
  const line = replaceInvisible(text.replace(/[\s\u0085]+/g, ' '), () => '')
    .replace(LONE_SURROGATES, '')
    .trim()
  const characters = Array.from(line)
  const short =
    characters.length > MAX_DOC_LENGTH ? `${characters.slice(0, MAX_DOC_LENGTH - 1).join('')}…` : line
  return `"${short
    .replace(/[\\`[<]/g, '\\$&')
    .replaceAll('*/', '*\\/')
    .replace(/(?<![\p{L}\p{N}_.])@/gu, '\\@')}"`
}
