import { codeJson } from './code-text.ts'
import type { AnswerModel, FormModel, QuestionModel } from './model.ts'
import type { NamedForm } from './names.ts'
import { headerLines, provenance } from './provenance.ts'
import type { Ids, Shape, Variant } from './shape.ts'

type Json = Record<string, unknown>

/**
 * Writes a JSON Schema of the answers by question id: of one form at the root, of several as `$defs` by name. The stamp is
 * part of `$comment`, the only keyword for it that strict validators accept. There is no `$schema`, since it only uses keywords that mean the same in draft-07 and 2020-12: validators of both accept it.
 */
export function writeJsonSchema(forms: readonly NamedForm[], stamp: string): string {
  const [only, ...more] = forms
  const schema =
    only && more.length === 0
      ? { title: only.name, ...formSchema(only) }
      : {
          anyOf: forms.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
          $defs: Object.fromEntries(forms.map((form) => [form.name, formSchema(form)])),
        }
  return `${codeJson({ $comment: [...headerLines(), stamp].join(' '), ...schema }, 2)}\n`
}

function formSchema(form: FormModel): Json {
  return {
    description: `Answers to "${form.title}" (form ${form.id}), by question id. ${provenance(form)}`,
    ...objectSchema(
      form.questions.map((question) => [question.id, question.required, questionSchema(question)]),
    ),
  }
}

function questionSchema({ title, answers }: QuestionModel): Json {
  const schemas = answers.map(answerSchema)
  return schemas.length === 1 ? { description: title, ...schemas[0] } : { description: title, anyOf: schemas }
}

const STRING = { type: 'string' }

function answerSchema({ type, value }: AnswerModel): Json {
  return objectSchema([
    ['question_id', true, STRING],
    ['title', true, STRING],
    ['type', true, { const: type }],
    ['value', true, shapeSchema(value)],
    ['text', true, STRING],
  ])
}

function shapeSchema(shape: Shape): Json {
  const variants = shape.map(variantSchema)
  if (variants.length === 0) return {}
  return variants.length === 1 ? (variants[0] as Json) : { anyOf: variants }
}

function variantSchema(variant: Variant): Json {
  switch (variant.kind) {
    case 'date':
      return { ...STRING, pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
    case 'time':
      return { ...STRING, pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }
    case 'choice':
      return objectSchema([
        ['ids', true, { type: 'array', items: idSchema(variant.options) }],
        ['other', true, { anyOf: [STRING, { type: 'null' }] }],
      ])
    case 'grid_single':
    case 'grid_multiple': {
      const id = idSchema(variant.columns)
      const cell = variant.kind === 'grid_single' ? id : { type: 'array', items: id }
      return {
        ...objectSchema(variant.rows.map(({ name, required }) => [name, required, cell])),
        additionalProperties: false,
      }
    }
    case 'files':
      return {
        type: 'array',
        items: objectSchema([
          ['id', true, STRING],
          ['name', true, STRING],
          ['size', true, { type: 'number' }],
        ]),
      }
    case 'address':
      return objectSchema(
        ['line1', 'line2', 'city', 'region', 'postal', 'country'].map((part) => [part, true, STRING]),
      )
    case 'array':
      return { type: 'array', items: shapeSchema(variant.items) }
    case 'object':
      return objectSchema(
        variant.members.map(({ name, required, shape }) => [name, required, shapeSchema(shape)]),
      )
    case 'unknown':
      return {}
    default:
      return { type: variant.kind }
  }
}

function objectSchema(members: readonly (readonly [name: string, required: boolean, schema: Json])[]): Json {
  const required = members.flatMap(([name, isRequired]) => (isRequired ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, , schema]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** JSON Schema requires at least one value in `enum`. */
function idSchema(ids: Ids): Json {
  if (ids === null) return STRING
  return ids.length === 0 ? { ...STRING, not: {} } : { enum: ids }
}
