import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../src/mcp/openapi-parts.ts'

const RESULT_MAX_CHARACTERS = 32_000

describe.each(['openapi.json', 'control.openapi.json'])('the operations of %s', (name) => {
  const json = readFileSync(new URL(`../../../contract/${name}`, import.meta.url), 'utf8')
  const operations = operationsOf(json)

  it('are all there, webhooks included', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(
      [...json.matchAll(/"operationId": "(\w+)"/g)].map(([, id]) => id).sort(),
    )
  })

  it('are each a small document with everything that it refers to, and nothing else', () => {
    for (const { id, text } of operations) {
      expect(text.length, id).toBeLessThanOrEqual(RESULT_MAX_CHARACTERS)
      const { openapi, components } = JSON.parse(text)
      expect(openapi).toBe('3.1.0')
      const names = Object.entries(components).flatMap(([kind, group]) =>
        Object.keys(group as object).map((component) => `#/components/${kind}/${component}`),
      )
      const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
      const schemes = names.filter((one) => one.includes('/securitySchemes/'))
      expect(new Set([...references, ...schemes]), id).toEqual(new Set(names))
      expect(schemes, id).toHaveLength(1)
    }
  })
})
