import { docText, objectKey, stringLiteral } from './code-text.ts'
import type { AnswerModel, QuestionModel } from './model.ts'
import type { NamedForm } from './names.ts'
import { headerLines, provenance } from './provenance.ts'
import type { Ids, Row, Shape, Variant } from './shape.ts'

/**
 * Writes a module of zod schemas for versions 3.25 and 4: a schema and its type of the same name per form, and `answerSchemas`, all
 * schemas by form id. The input of a schema is what `answersOf` returns.
 */
export function writeZod(forms: readonly NamedForm[]): string {
  const header = [
    '/* eslint-disable */',
    ...headerLines().map((line) => `// ${line}`),
    "import * as z from 'zod'",
  ]
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
    '/**',
    ` * Answers to ${docText(form.title)} (form ${docText(form.id).slice(1, -1)}), by question id. ${provenance(form)}`,
    ' *',
    ` * @example ${form.name}.parse(answersOf(response))`,
    ' */',
    `export const ${form.name} = z.object({`,
    ...form.questions.map(property),
    '})',
    '',
    `export type ${form.name} = z.infer<typeof ${form.name}>`,
  ]
}

function property(question: QuestionModel): string {
  const types = question.answers.map(({ type }) => docText(type).slice(1, -1)).join(', ')
  const answers = question.answers.map(answerSchema)
  const schema = answers.length === 1 ? answers[0] : `z.union([${answers.join(', ')}])`
  const optional = question.required ? '' : '.optional()'
  return `  /** ${docText(question.title)} (${types}) */\n  ${objectKey(question.id)}: ${schema}${optional},`
}

function answerSchema({ type, value }: AnswerModel): string {
  const literal = `z.literal(${stringLiteral(type)})`
  return `z.object({ question_id: z.string(), title: z.string(), type: ${literal}, value: ${shapeSchema(value)}, text: z.string() })`
}

function shapeSchema(shape: Shape): string {
  const variants = shape.map(variantSchema)
  if (variants.length === 0) return 'z.unknown()'
  return variants.length === 1 ? (variants[0] as string) : `z.union([${variants.join(', ')}])`
}

function variantSchema(variant: Variant): string {
  switch (variant.kind) {
    case 'date':
      return `z.string().regex(/^\\d{4}-\\d{2}-\\d{2}$/, 'expected YYYY-MM-DD')`
    case 'time':
      return `z.string().regex(/^(?:[01]\\d|2[0-3]):[0-5]\\d$/, 'expected HH:MM')`
    case 'choice':
      return `z.object({ ids: z.array(${idSchema(variant.options)}), other: z.string().nullable() })`
    case 'grid_single':
    case 'grid_multiple': {
      const cell = idSchema(variant.columns)
      const value = variant.kind === 'grid_single' ? cell : `z.array(${cell})`
      if (variant.rows.some(isInherited)) return `z.record(z.string(), ${value})`
      return `${objectSchema(variant.rows.map(({ name, required }) => [name, required, value]))}.strict()`
    }
    case 'files':
      return 'z.array(z.object({ id: z.string(), name: z.string(), size: z.number() }))'
    case 'address':
      return 'z.object({ line1: z.string(), line2: z.string(), city: z.string(), region: z.string(), postal: z.string(), country: z.string() })'
    case 'array':
      return `z.array(${shapeSchema(variant.items)})`
    case 'object':
      return objectSchema(
        variant.members
          .filter((member) => !isInherited(member))
          .map(({ name, required, shape }) => [name, required, shapeSchema(shape)]),
      )
    default:
      return `z.${variant.kind}()`
  }
}

/** zod reads absent members too, and would find that of Object.prototype: it is not listed then. */
const isInherited = ({ name, required }: Row): boolean => !required && name in {}

function objectSchema(
  members: readonly (readonly [name: string, required: boolean, schema: string])[],
): string {
  const properties = members.map(
    ([name, required, schema]) => `${objectKey(name)}: ${schema}${required ? '' : '.optional()'}`,
  )
  return properties.length === 0 ? 'z.object({})' : `z.object({ ${properties.join(', ')} })`
}

/** The message is given because the one of zod 3 would contain the value. */
function idSchema(ids: Ids): string {
  if (ids === null) return 'z.string()'
  if (ids.length === 0) return 'z.never()'
  return `z.enum([${ids.map(stringLiteral).join(', ')}], { message: 'expected a listed id' })`
}
