import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { lintOpenApi } from './lint-openapi.ts'

it.each(['openapi.json', 'control.openapi.json'])('%s passes the linter without warnings', async (name) => {
  const { report, stderr } = await lintOpenApi(fileURLToPath(new URL(`../${name}`, import.meta.url)))
  expect(report, stderr).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
})
