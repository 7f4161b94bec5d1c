/** Generates `openapi.json` from the schemas. Run it after changing them, and commit the result. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi/document.ts'

const target = new URL('../openapi.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
