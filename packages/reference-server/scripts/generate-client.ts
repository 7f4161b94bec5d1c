/** Writes the types that openapi-typescript gives for the contract's document, for the client that the tests use. */
import { mkdirSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const document = new URL('../../contract/openapi.json', import.meta.url)
const target = new URL('../test/testing/generated/openapi.ts', import.meta.url)

mkdirSync(new URL('.', target), { recursive: true })
writeFileSync(
  target,
  `// Made by scripts/generate-client.ts. Do not edit.\n${astToString(await openapiTS(document))}`,
)
