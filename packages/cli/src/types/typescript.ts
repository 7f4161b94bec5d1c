import { docText, propertyName, stringLiteral } from './code-text.ts'
import { type Helper, helperCode } from './helpers.ts'
import type { AnswerModel, QuestionModel } from './model.ts'
import type { NamedForm } from './names.ts'
import { headerLines, provenance } from './provenance.ts'
import type { Ids, Shape, Variant } from './shape.ts'

/** Writes a module of types: an interface per form, a property per question. Without imports and run-time code. */
export function writeTypeScript(forms: readonly NamedForm[]): string {
  const used = new Set<Helper>()
  const interfaces = forms.map((form) => formInterface(form, used))
  const header = ['/* eslint-disable */', ...headerLines().map((line) => `// ${line}`)].join('\n')
  return `${[header, ...interfaces, ...helperCode(used)].join('\n\n')}\n`
}

function formInterface(form: NamedForm, used: Set<Helper>): string {
  const properties = form.questions.map((question) => property(question, used))
  return [
    '/**',
    ` * Answers to ${docText(form.title)} (form ${docText(form.id).slice(1, -1)}), by question id. ${provenance(form)}`,
    ' *',
    ` * @example const answers = answersOf<${form.name}>(response)`,
    ' */',
    `export interface ${form.name} {`,
    ...properties,
    '}',
  ].join('\n')
}

function property(question: QuestionModel, used: Set<Helper>): string {
  const types = question.answers.map(({ type }) => docText(type).slice(1, -1)).join(', ')
  const union = question.answers.map((answer) => answerType(answer, used)).join(' | ')
  const optional = question.required ? '' : '?'
  return `  /** ${docText(question.title)} (${types}) */\n  ${propertyName(question.id)}${optional}: ${indented(union)}`
}

function answerType({ type, value }: AnswerModel, used: Set<Helper>): string {
  used.add('TypedAnswer')
  return `TypedAnswer<${stringLiteral(type)}, ${shapeType(value, used)}>`
}

function shapeType(shape: Shape, used: Set<Helper>): string {
  return shape.length === 0 ? 'unknown' : shape.map((variant) => variantType(variant, used)).join(' | ')
}

function variantType(variant: Variant, used: Set<Helper>): string {
  switch (variant.kind) {
    case 'date':
    case 'time':
      return 'string'
    case 'choice':
      used.add('Choice')
      return `Choice<${idUnion(variant.options)}>`
    case 'grid_single':
    case 'grid_multiple': {
      const cell = variant.columns === null ? 'string' : openId(variant.columns, used)
      return gridType(variant, variant.kind === 'grid_single' ? cell : `${cell}[]`)
    }
    case 'files':
      used.add('UploadedFile')
      return 'UploadedFile[]'
    case 'address':
      used.add('Address')
      return 'Address'
    case 'array':
      return `(${shapeType(variant.items, used)})[]`
    case 'object':
      return objectType(
        variant.members.map(({ name, required, shape }) => member(name, required, shapeType(shape, used))),
      )
    default:
      return variant.kind
  }
}

type TypedMember = readonly [property: string, type: string]

const member = (name: string, required: boolean, type: string): TypedMember => [
  `${propertyName(name)}${required ? '' : '?'}`,
  type,
]

/** Rows are open, like option ids: a row that no response has yet is read as `cell | undefined`. */
function gridType({ rows }: Extract<Variant, { rows: unknown }>, cell: string): string {
  const listed = rows.map(({ name, required }) => member(name, required, cell))
  return objectType([...listed, ['[row: string]', `${cell} | undefined`]])
}

function objectType(members: readonly TypedMember[]): string {
  if (members.length === 0) return 'Record<string, unknown>'
  const lines = members.map(([property, type]) => `  ${property}: ${indented(type)}\n`)
  return `{\n${lines.join('')}}`
}

/** Line breaks of texts are escaped, so that each one here is between members. */
const indented = (type: string): string => type.replaceAll('\n', '\n  ')

function openId(ids: readonly string[], used: Set<Helper>): string {
  used.add('OpenId')
  return `OpenId<${idUnion(ids)}>`
}

function idUnion(ids: Ids): string {
  if (ids === null) return 'string'
  return ids.length === 0 ? 'never' : ids.map(stringLiteral).join(' | ')
}
