import { codeJson } from './code-text.ts'
import type { FormModel } from './model.ts'
import type { NamedForm } from './names.ts'
import { expanding, headerLines, type Property, printQuestion, provenance } from './printer.ts'
import type { Ids } from './shape.ts'

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
      form.questions.map((question) => [
        question.id,
        question.required,
        { description: question.title, ...printQuestion(question, PRINTER) },
      ]),
    ),
  }
}

const STRING = { type: 'string' }

const PRINTER = expanding<Json>({
  plain(kind) {
    if (kind === 'date') return { ...STRING, pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
    if (kind === 'time') return { ...STRING, pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }
    return kind === 'unknown' ? {} : { type: kind }
  },
  literal: (text) => ({ const: text }),
  ids: idSchema,
  nullable: (schema) => ({ anyOf: [schema, { type: 'null' }] }),
  array: (items) => ({ type: 'array', items }),
  object: objectSchema,
  grid(rows, columns, isMultiple) {
    const id = idSchema(columns)
    const cell = isMultiple ? { type: 'array', items: id } : id
    const properties = rows.map(({ name, required }) => [name, required, cell] as const)
    return { ...objectSchema(properties), additionalProperties: false }
  },
  union: (schemas) => ({ anyOf: schemas }),
})

function objectSchema(properties: readonly Property<Json>[]): Json {
  const required = properties.flatMap(([name, isRequired]) => (isRequired ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, , schema]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** JSON Schema requires at least one value in `enum`. */
function idSchema(ids: Ids): Json {
  if (ids === null) return STRING
  return ids.length === 0 ? { ...STRING, not: {} } : { enum: ids }
}
