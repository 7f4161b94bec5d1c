import { propertyName, stringLiteral } from './code-text.ts'
import type { NamedForm } from './names.ts'
import { formDoc, moduleHeader, type Printer, type Property, printQuestion, questionDoc } from './printer.ts'
import type { Ids } from './shape.ts'

/** Writes a module of types: an interface per form, a property per question. Without imports and run-time code. */
export function writeTypeScript(forms: readonly NamedForm[]): string {
  const used = new Set<Helper>()
  const interfaces = forms.map((form) => formInterface(form, printerOf(used)))
  return `${[moduleHeader().join('\n'), ...interfaces, ...helperCode(used)].join('\n\n')}\n`
}

function formInterface(form: NamedForm, printer: Printer<string>): string {
  return [
    ...formDoc(form, `const answers = answersOf<${form.name}>(response)`),
    `export interface ${form.name} {`,
    ...form.questions.flatMap((question) => [
      questionDoc(question),
      `  ${property([question.id, question.required, printQuestion(question, printer)])}`,
    ]),
    '}',
  ].join('\n')
}

/** Returns the printer of types. @param used gets the helpers that they use */
function printerOf(used: Set<Helper>): Printer<string> {
  const use = (helper: Helper, parameters = ''): string => {
    used.add(helper)
    return `${helper}${parameters}`
  }
  return {
    plain: (kind) => (kind === 'date' || kind === 'time' ? 'string' : kind),
    answer: (type, value) => use('TypedAnswer', `<${stringLiteral(type)}, ${value}>`),
    choice: (options) => use('Choice', `<${idUnion(options)}>`),
    files: () => `${use('UploadedFile')}[]`,
    address: () => use('Address'),
    array: (items) => `(${items})[]`,
    object: objectType,
    /** Rows are open, like option ids: a row that no response has yet is read as `cell | undefined`. */
    grid(rows, columns, isMultiple) {
      const id = columns === null ? 'string' : use('OpenId', `<${idUnion(columns)}>`)
      const cell = isMultiple ? `${id}[]` : id
      const listed = rows.map(({ name, required }) => property([name, required, cell]))
      return objectOf([...listed, `[row: string]: ${cell} | undefined`])
    },
    union: (types) => types.join(' | '),
  }
}

/** Line breaks of texts are escaped, so that each one here is between members. */
const property = ([name, isRequired, type]: Property<string>): string =>
  `${propertyName(name)}${isRequired ? '' : '?'}: ${type.replaceAll('\n', '\n  ')}`

const objectType = (properties: readonly Property<string>[]): string =>
  properties.length === 0 ? 'Record<string, unknown>' : objectOf(properties.map(property))

const objectOf = (lines: readonly string[]): string => `{\n${lines.map((line) => `  ${line}\n`).join('')}}`

function idUnion(ids: Ids): string {
  if (ids === null) return 'string'
  return ids.length === 0 ? 'never' : ids.map(stringLiteral).join(' | ')
}

/** A type that generated TypeScript modules declare when they use it. */
type Helper = 'TypedAnswer' | 'Choice' | 'OpenId' | 'UploadedFile' | 'Address'

const HELPERS: Readonly<Record<Helper, string>> = {
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
function helperCode(used: ReadonlySet<Helper>): string[] {
  const needed = new Set<string>(used)
  if (needed.has('Choice')) needed.add('OpenId')
  return Object.entries(HELPERS).flatMap(([name, code]) => (needed.has(name) ? [code] : []))
}
