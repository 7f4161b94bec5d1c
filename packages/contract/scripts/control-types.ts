/** Writes the types of `src/control.ts` as declarations that name no schema, so that a project without zod can use them. Part of the build. */
import { readFileSync, writeFileSync } from 'node:fs'
import type * as z from 'zod'
import * as control from '../src/schemas/control.ts'

type Schema = z.core.$ZodTypes
const schemas = new Map(Object.entries(control as unknown as Record<string, Schema>))
const schemaOf = (name: string): Schema => schemas.get(name) as Schema

const docOf = (schema: Schema): string => {
  const { description } = schema as unknown as z.ZodType
  if (description !== undefined) return `/** ${description} */\n`
  const { def } = schema._zod
  return def.type === 'optional' ? docOf(def.innerType as Schema) : ''
}

/** @param absent what an optional member may be, besides left out */
function typeOf({ _zod: { def } }: Schema, absent: string): string {
  const of = (schema: z.core.$ZodType) => typeOf(schema as Schema, absent)
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape as Record<string, Schema>).map(([name, member]) => {
        const { def: inner } = member._zod
        const type = inner.type === 'optional' ? `?: ${of(inner.innerType)}${absent}` : `: ${of(member)}`
        return `${docOf(member)}${name}${type}\n`
      })
      return `{\n${members.join('')}}`
    }
    case 'array':
      return `(${of(def.element)})[]`
    case 'record':
      return `Record<string, ${of(def.valueType)}>`
    case 'union':
      return def.options.map(of).join(' | ')
    case 'nullable':
      return `${of(def.innerType)} | null`
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' | ')
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'template_literal':
      return `\`${def.parts.map((part) => (typeof part === 'string' ? part : `\${number}`)).join('')}\``
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return def.type
    default:
      throw new Error(`no type for the schema ${def.type}`)
  }
}

const text = readFileSync(new URL('../src/control.ts', import.meta.url), 'utf8')
  .replace(/^import .* from '\.\/schemas\/(control|wire)\.ts'\n/gm, '')
  .replace(
    /(?<!\*\/\n)^export type \w+ =(?:(?!^export).)*?typeof schemas\.(\w+)/gms,
    (line, name) => docOf(schemaOf(name)) + line,
  )
  .replace(/Wire<typeof schemas\.(\w+)(, undefined)?>/g, (_, name, undefinedToo) =>
    typeOf(schemaOf(name), undefinedToo ? ' | undefined' : ''),
  )
for (const format of ['', 'c']) {
  const file = new URL(`../dist/control.d.${format}ts`, import.meta.url)
  // The empty export keeps the other types private.
  writeFileSync(file, `${text.replace('./index.ts', `./index.${format}js`)}export {}\n`)
}
