import { createDocument } from 'zod-openapi'
import { CONTACT, liftParameterTexts, servers } from '../openapi/about.ts'
import { schemas } from './components.ts'
import { paths } from './paths.ts'

export type Document = ReturnType<typeof createDocument>

/** Returns the OpenAPI 3.1 document of the control API, generated from the schemas. Deterministic. */
export function controlOpenApiDocument(): Document {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Formwire control API',
      version: '1',
      description:
        'What people do in the web app, and what test suites need: forms, responses, people, keys, webhooks and their deliveries, the clock, faults, mock receivers and waits. Only the reference server has it.',
      contact: CONTACT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers('/_app', 'The reference server that serves this document.'),
    security: [{ adminToken: [] }],
    tags: [
      { name: 'Server', description: 'The clock, the journal, faults, snapshots and reset.' },
      { name: 'Suites', description: 'Mock receivers and waits, for suites in any language.' },
      { name: 'Forms and responses', description: 'The form builder and back-filled responses.' },
      { name: 'Webhooks and deliveries', description: 'Endpoints and their delivery log.' },
      { name: 'People and keys', description: 'Workspaces, users, members and API keys.' },
    ],
    paths,
    components: {
      schemas,
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token that the server printed at its start, or that it was given with `--admin-token`.',
        },
      },
    },
  })
  liftParameterTexts(document.paths)
  return JSON.parse(JSON.stringify(document)) as Document
}
