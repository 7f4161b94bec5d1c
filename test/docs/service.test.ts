import { describe, expect, it } from 'vitest'
import { ERROR_STATUS } from '../../packages/contract/src/index.ts'
import { read } from '../../scripts/project/project.ts'

const page = read('docs/reference/service.md')

describe('docs/reference/service.md', () => {
  it('has each endpoint of the OpenAPI document, and no other', () => {
    const { paths } = JSON.parse(read('packages/contract/openapi.json')) as { paths: Record<string, object> }
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => /^(?:get|patch|post|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
    )
    const listed = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)].map(([, request]) => request)
    expect(listed.toSorted()).toEqual(documented.toSorted())
  })

  it('has each error code with its status', () => {
    const listed = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [
      code,
      Number(status),
    ])
    expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS)
  })
})
