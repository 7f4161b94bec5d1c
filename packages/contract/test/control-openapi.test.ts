import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { controlOpenApiDocument } from '../scripts/control-openapi/document.ts'

const text = readFileSync(new URL('../control.openapi.json', import.meta.url), 'utf8')

/** That it has the server's routes, and that these do what it says: packages/reference-server/test/control/openapi.test.ts. */
describe('control.openapi.json', () => {
  it('matches the schemas (after a change, run packages/contract/scripts/write-openapi.ts)', () => {
    expect(text).toBe(`${JSON.stringify(controlOpenApiDocument(), null, 2)}\n`)
  })

  it('requires the admin token everywhere but at /health and for previews, which have their own', () => {
    const document = JSON.parse(text) as ReturnType<typeof controlOpenApiDocument>
    expect(document.security).toEqual([{ adminToken: [] }])
    const open = Object.entries(document.paths ?? {}).filter(([, item]) =>
      Object.values(item as Record<string, { security?: unknown[] }>).some(({ security }) => security),
    )
    expect(open.map(([path]) => path)).toEqual(['/health', '/previews/{token}'])
  })
})
