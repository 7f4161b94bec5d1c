import { isObject } from '@formwire/internal/json'
import { NAME_MAX_LENGTH, nearestName } from '@formwire/internal/nearest-name'
import * as z from 'zod'
import type { Failure } from '../failure.ts'
import { argumentFailure, invalidArgument, suggestion } from './failures.ts'
import { cutText } from './result.ts'

/** What is used of the schema of an argument. */
interface Schema {
  type?: string
  description?: string
  enum?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Returns the failure for the arguments of a tool: an unknown one first, since what is missing is often only misspelt. */
export function argumentIssue(
  { name: tool, input }: { name: string; input: z.ZodObject },
  given: unknown,
  issues: readonly z.core.$ZodIssue[],
): Failure {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const { path = [] } = issue ?? {}
  const at = path.join('.')
  const schema = schemaAt(z.toJSONSchema(input, { io: 'input' }) as Schema, path)
  if (issue?.code === 'unrecognized_keys') {
    const unknown = String(issue.keys[0])
    const known = Object.keys(schema.properties ?? {})
    const owner = at === '' ? `${tool} has no such argument` : `${at} has no such member`
    const listed = `its ${at === '' ? 'arguments' : 'members'}: ${known.join(', ')}`
    return invalidArgument(
      at === '' ? unknown : `${at}.${unknown}`,
      owner,
      suggestion(unknown, known, listed),
    )
  }
  const value = path.reduce<unknown>((parent, step) => Object(parent)[step], given)
  const { description } = schema
  const expected = expectationOf(schema)
  if (value === undefined && at !== '')
    return argumentFailure(at, `${at} is required: ${[expected, description].filter(Boolean).join(', ')}`)
  const about = description === undefined ? '' : ` (${description})`
  const isWord = typeof value === 'string' && schema.enum !== undefined
  const got = isWord ? JSON.stringify(cutText(value, NAME_MAX_LENGTH)) : kindOf(value)
  const nearest = isWord ? nearestName(value, schema.enum ?? []) : undefined
  return argumentFailure(
    at || 'arguments',
    expected === undefined
      ? `${at} is not valid${about}, got ${got}`
      : `${at || 'the arguments'} must be ${expected}${about}, got ${got}`,
    nearest && `did you mean ${nearest}?`,
  )
}

const schemaAt = (schema: Schema, path: readonly PropertyKey[]): Schema =>
  path.reduce<Schema>(
    (parent, step) => (typeof step === 'number' ? parent.items : parent.properties?.[String(step)]) ?? {},
    schema,
  )

/** Returns what an argument has to be. Undefined if it may be one of several. */
function expectationOf({ type = '', enum: words, ...limits }: Schema): string | undefined {
  const { minimum, maximum = 0, minLength = 0, maxLength, minItems = 0, maxItems } = limits
  const size = (noun: string, from: number, to: number | undefined): string =>
    to === undefined ? '' : ` of ${from > 0 ? `${from} to` : 'at most'} ${to} ${noun}s`
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  const expectations: Readonly<Record<string, string>> = {
    integer: `an integer ${range}`,
    string: `a string${size('character', minLength, maxLength)}`,
    array: `an array${size('item', minItems, maxItems)}`,
    object: 'an object',
  }
  return words ? `one of ${words.join(', ')}` : expectations[type]
}

/** Describes a value without its text, which may be a secret. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `a string of ${value.length} characters`
  if (Array.isArray(value)) return `an array of ${value.length}`
  return isObject(value) ? 'an object' : String(value)
}
