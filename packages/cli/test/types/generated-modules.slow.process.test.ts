import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FormResponse } from '@formwire/contract'
import { answersOf } from '@formwire/sdk'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import type { InterfaceDeclaration } from 'typescript'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as zod4 from 'zod'
import * as zod3 from 'zod-3'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { typeErrors, writeProject } from '../../../../test/support/type-errors.ts'
import { objectKey, stringLiteral } from '../../src/types/code-text.ts'
import { differences } from '../../src/types/compare.ts'
import { nameForms } from '../../src/types/names.ts'
import { writeModule } from '../../src/types/run-generate.ts'
import { readStamp } from '../../src/types/stamp.ts'
import { commentOf, compile, evaluate, OPTIONS, parse, tagsOf } from './compile.ts'
import { modelOf, randomForm } from './random-form.ts'

// Compiling takes seconds, and minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

/** Characters that change how code looks or where its lines end. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: unknown }
}

const { seed } = fc.readConfigureGlobal()
const forms = fc.sample(randomForm, {
  numRuns: propertyRuns(100),
  ...(seed === undefined ? {} : { seed }),
})

/** Returns a value as TypeScript code. */
function code(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${objectKey(name)}: ${code(member)}`)
    .join(', ')} }`
}

/** Ajv puts the names of properties into URLs, and ignores the schema of a property `__proto__`. */
function isBeyondAjv(value: unknown): boolean {
  if (typeof value === 'string') return value === '__proto__' || /\p{Cs}/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some((entry) => entry.some(isBeyondAjv))
}

/** Whether an optional question, row or member has the name of a member of Object.prototype. */
function hasInherited(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, id, required } = value as { name?: string; id?: string; required?: boolean }
  return (required === false && (name ?? id ?? '') in {}) || Object.values(value).some(hasInherited)
}

const answers = (response: Pick<FormResponse, 'answers'>) => answersOf<Record<string, never>>(response)

const FORMATS = ['ts', 'zod', 'json-schema'] as const
const models = forms.map((form) => modelOf(form))

describe(`modules for ${forms.length} random forms`, () => {
  const files: Record<string, string> = {}
  for (const [number, model] of models.entries()) {
    const name = nameForms([model])[0]!.name
    files[`ts-${number}.ts`] = writeModule([model], 'ts')
    // Every object literal has the members of Object.prototype, so a missing answer with such an id is not assignable.
    const fitting = hasInherited(model.questions) ? [] : forms[number]!.responses
    const values = fitting.map((response) => `  ${code(answers(response))},`)
    files[`use-${number}.ts`] =
      `import type { ${name} } from './ts-${number}'\nexport const all: ${name}[] = [\n${values.join('\n')}\n]\n`
    if (number < 40) files[`zod-${number}.ts`] = writeModule([model], 'zod')
  }

  it('compile under strict with TypeScript 5.4 and the newest, and accept each response', async () => {
    // Below the package, so that zod is found.
    const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
    mkdirSync(cache, { recursive: true })
    const directory = mkdtempSync(join(cache, 'modules-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeProject(directory, OPTIONS, files)
    expect(compile(directory)).toEqual([])
    expect(await typeErrors(directory)).toEqual([])
  })

  it('contain no tags, links or directives from titles and ids', () => {
    for (const number of forms.keys()) {
      const source = parse(files[`ts-${number}.ts`]!)
      const [form] = source.statements
      expect(tagsOf(form!)).toEqual(['example'])
      for (const member of (form as InterfaceDeclaration).members) {
        expect(tagsOf(member)).toEqual([])
        expect(commentOf(member)).toMatch(/^".*" \(.*\)$/s)
      }
    }
  })

  it('contain no invisible characters, and are the same for the same responses', () => {
    for (const [number, model] of models.entries()) {
      for (const format of FORMATS) {
        const text = writeModule([model], format)
        expect(text).not.toMatch(UNSAFE)
        expect(writeModule([modelOf(forms[number]!)], format)).toBe(text)
      }
    }
  })

  it('are covered by what --check reads from them', () => {
    for (const model of models) {
      for (const format of FORMATS) {
        const stamp = readStamp(writeModule([model], format), 'file')
        expect(stamp).toMatchObject({ format, forms: [{ id: model.id, responses: model.responses }] })
        expect(differences(model, stamp.forms[0])).toEqual([])
      }
    }
  })
})

describe(`schemas for ${forms.length} random forms`, () => {
  it('zod 4 and zod 3.25 accept each response', () => {
    for (const [number, model] of models.entries()) {
      const modules = evaluate(writeModule([model], 'zod'), [zod4, zod3])
      for (const exports of modules) {
        const schema = exports[nameForms([model])[0]!.name] as Schema
        for (const response of forms[number]!.responses)
          expect(schema.safeParse(answers(response)).error).toBeUndefined()
      }
    }
  })

  it('JSON Schema accepts each response', () => {
    const ajv = new Ajv({ ownProperties: true })
    for (const form of forms.filter((one) => !isBeyondAjv(one))) {
      const validate = ajv.compile(JSON.parse(writeModule([modelOf(form)], 'json-schema')))
      for (const response of form.responses) {
        validate(answers(response))
        expect(validate.errors).toBeNull()
      }
    }
  })
})
