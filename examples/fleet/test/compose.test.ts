import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the compose file of the fleet starts three workers on PostgreSQL alone', () => {
  const compose = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8')
  expect(compose).toMatch(/replicas: 3\n/)
  expect(compose.match(/(?<=image: ).*/g)).toEqual(['postgres:17', 'node:22-slim'])
  for (const name of ['FORMWIRE_API_KEY', 'FORMWIRE_BASE_URL', 'FORMWIRE_DATABASE_URL'])
    expect(compose).toContain(name)
})
