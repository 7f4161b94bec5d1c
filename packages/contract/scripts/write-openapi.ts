/** Generates `openapi.json` and `control.openapi.json` from the schemas. Run it after changing them, and commit the result. */
import { writeFileSync } from 'node:fs'
import { controlOpenApiDocument } from './control-openapi/document.ts'
import { openApiDocument } from './openapi/document.ts'

const write = (name: string, document: object): void =>
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)

write('openapi.json', openApiDocument())
write('control.openapi.json', controlOpenApiDocument())
