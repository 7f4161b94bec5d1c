/** A type that generated TypeScript modules declare when they use it. */
export type Helper = 'TypedAnswer' | 'Choice' | 'OpenId' | 'UploadedFile' | 'Address'

const CODE: Readonly<Record<Helper, string>> = {
  TypedAnswer: `/** An answer to a question of one type. */
export interface TypedAnswer<Type extends string, Value> {
  question_id: string
  /** Title of the question. */
  title: string
  type: Type
  /** Machine-readable value. */
  value: Value
  /** Human-readable text. For choices, the option labels. */
  text: string
}`,
  Choice: `/** Value of a choice or a ranking. For a ranking, \`ids\` are in ranked order. */
export interface Choice<Id extends string> {
  /** Ids of the chosen options. */
  ids: OpenId<Id>[]
  /** Text of the "other" option, or \`null\` if it was not used. */
  other: string | null
}`,
  OpenId: `/** An id that a response contained, or any other string: a form can get new options at any time. */
export type OpenId<Id extends string> = Id | (string & Record<never, never>)`,
  UploadedFile: `/** An uploaded file. The API does not provide its content. */
export interface UploadedFile {
  id: string
  name: string
  /** Size in bytes. */
  size: number
}`,
  Address: `/** Value of an address. */
export interface Address {
  line1: string
  line2: string
  city: string
  region: string
  postal: string
  country: string
}`,
}

/** Returns the code of the helpers, each with those that it uses. */
export function helperCode(used: ReadonlySet<Helper>): string[] {
  const needed = new Set<string>(used)
  if (needed.has('Choice')) needed.add('OpenId')
  return Object.entries(CODE).flatMap(([name, code]) => (needed.has(name) ? [code] : []))
}
