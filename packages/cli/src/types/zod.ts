import { objectKey, stringLiteral } from './code-text.ts'
import type { QuestionModel } from './model.ts'
import type { NamedForm } from './names.ts'
import { expanding, formDoc, moduleHeader, type Property, printQuestion, questionDoc } from './printer.ts'
import type { Ids } from './shape.ts'

/**
 * Writes a module of zod schemas for versions 3.25 and 4: a schema and its type of the same name per form, and `answerSchemas`, all
 * schemas by form id. The input of a schema is what `answersOf` returns.
 */
export function writeZod(forms: readonly NamedForm[]): string {
  const header = [...moduleHeader(), "import * as z from 'zod'"]
  const map = [
    '/** Every schema by form id, for `answerSchemas` of the SDK. */',
    'export const answerSchemas = {',
    ...forms.map((form) => `  ${objectKey(form.id)}: ${form.name},`),
    '}',
  ]
  return `${[header, ...forms.map(formSchema), map].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function formSchema(form: NamedForm): string[] {
  return [
    ...formDoc(form, `${form.name}.parse(answersOf(response))`),
    `export const ${form.name} = z.object({`,
    ...form.questions.map(property),
    '})',
    '',
    `export type ${form.name} = z.infer<typeof ${form.name}>`,
  ]
}

function property(question: QuestionModel): string {
  const [member] = members([[question.id, question.required, printQuestion(question, PRINTER)]])
  return `${questionDoc(question)}\n  ${member},`
}

const PRINTER = expanding<string>({
  plain(kind) {
    if (kind === 'date') return `z.string().regex(/^\\d{4}-\\d{2}-\\d{2}$/, 'expected YYYY-MM-DD')`
    if (kind === 'time') return `z.string().regex(/^(?:[01]\\d|2[0-3]):[0-5]\\d$/, 'expected HH:MM')`
    return `z.${kind}()`
  },
  literal: (text) => `z.literal(${stringLiteral(text)})`,
  ids: idSchema,
  nullable: (schema) => `${schema}.nullable()`,
  array: (items) => `z.array(${items})`,
  object: (properties) => objectSchema(properties.filter((one) => !isInherited(one))),
  grid(rows, columns, isMultiple) {
    const cell = isMultiple ? `z.array(${idSchema(columns)})` : idSchema(columns)
    const properties = rows.map(({ name, required }) => [name, required, cell] as const)
    return properties.some(isInherited)
      ? `z.record(z.string(), ${cell})`
      : `${objectSchema(properties)}.strict()`
  },
  union: (schemas) => `z.union([${schemas.join(', ')}])`,
})

/** zod reads absent members too, and would find that of Object.prototype: it is not listed then. */
const isInherited = ([name, isRequired]: Property<string>): boolean => !isRequired && name in {}

function objectSchema(properties: readonly Property<string>[]): string {
  return properties.length === 0 ? 'z.object({})' : `z.object({ ${members(properties).join(', ')} })`
}

const members = (properties: readonly Property<string>[]): string[] =>
  properties.map(
    ([name, isRequired, schema]) => `${objectKey(name)}: ${schema}${isRequired ? '' : '.optional()'}`,
  )

/** The message is given because the one of zod 3 would contain the value. */
function idSchema(ids: Ids): string {
  if (ids === null) return 'z.string()'
  if (ids.length === 0) return 'z.never()'
  return `z.enum([${ids.map(stringLiteral).join(', ')}], { message: 'expected a listed id' })`
}
