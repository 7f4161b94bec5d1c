/**
 * Characters that must not be in generated code as they are: control characters, line and paragraph separators, lone
 * surrogates, and invisible characters, among them bidirectional marks that would make code look different from what it is.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** Code points of a title that a docstring shows. */
const MAX_DOC_LENGTH = 200

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** Returns a string literal of TypeScript in single quotes. */
export function stringLiteral(text: string): string {
  const quoted = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replace(UNSAFE, escaped)
  return `'${quoted}'`
}

/** Returns the name of a property in an interface: quoted unless it is an ASCII identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}

/** Returns the name of a member in an object literal. `__proto__: …` would set the prototype of the object. */
export function objectKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name)
}

/** Returns the value as JSON with unsafe characters escaped. */
export function codeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSAFE, (character) =>
    // Line breaks between members are part of the layout; those of strings are escaped already.
    character === '\n' ? character : escaped(character),
  )
}

/**
 * Returns untrusted text for a docstring, in quotes: one line that neither ends the comment nor contains a tag, a link,
 * an image or HTML, all of which editors would act on.
 */
export function docText(text: string): string {
  const line = text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(UNSAFE, '')
    .trim()
  const characters = Array.from(line)
  const short =
    characters.length > MAX_DOC_LENGTH ? `${characters.slice(0, MAX_DOC_LENGTH - 1).join('')}…` : line
  return `"${short
    .replace(/[\\`[<]/g, '\\$&')
    .replaceAll('*/', '*\\/')
    .replace(/(?<![\p{L}\p{N}_.])@/gu, '\\@')}"`
}
