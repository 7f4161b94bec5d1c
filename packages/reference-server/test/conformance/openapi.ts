import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** An HTTP response of the API, to be compared with the OpenAPI document. */
export interface ApiResponse {
  readonly method: string
  /** Below `/api/v1`, with its query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Reference = { $ref?: string }
type Media = { schema: object }
type DocumentedResponse = Reference & {
  headers?: Record<string, { required?: boolean }>
  content?: Record<string, Media>
}
type Operation = { responses: Record<string, DocumentedResponse> }

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, DocumentedResponse> }
}

const FILE = 'document.json'

/** Reads an OpenAPI document of the contract. */
export const readDocument = (name: 'openapi.json' | 'control.openapi.json'): Document =>
  JSON.parse(readFileSync(new URL(`../../../contract/${name}`, import.meta.url), 'utf8')) as Document

/** Returns how a response of the API differs from openapi.json, or `undefined` if it is as documented. */
export const undocumented = compareWith(readDocument('openapi.json'))

/**
 * Returns a function that returns how a response differs from a document, or `undefined` if it is as documented. A
 * response to an unknown path or method must be an error in its envelope.
 */
export function compareWith(document: Document): (response: ApiResponse) => string | undefined {
  // `discriminator` and `example` are OpenAPI keywords, not JSON Schema keywords.
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(document, FILE)
  const validators = new Map<string, ValidateFunction>()
  const routes = Object.entries(document.paths)
    .map(([template, item]) => ({
      pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      template,
      item,
    }))
    // A path without parameters comes before one that it would match too.
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length)

  function problem(named: string, text: string, at: string): string | undefined {
    if (text === '') return undefined
    let validate = validators.get(at)
    if (!validate) {
      validate = ajv.compile({ $ref: `${FILE}#${encodeURI(at).replaceAll('%7E', '~')}` })
      validators.set(at, validate)
    }
    if (validate(JSON.parse(text))) return undefined
    const error = validate.errors?.at(-1)
    return `${named}: ${error?.instancePath || 'the body'} ${error?.message}`
  }

  return ({ method, path, status, headers, text }) => {
    const named = `${method} ${path} → ${status}`
    const bare = path.replace(/\?.*$/s, '')
    const route = routes.find(({ pattern }) => pattern.test(bare))
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = route?.item[verb]
    if (!operation) return problem(named, text, pointer('components', 'schemas', 'ErrorBody'))
    const listed = operation.responses[status]
    if (!listed) return `${named}: the operation does not document this status`
    const reference = listed.$ref?.replace('#/components/responses/', '')
    const documented =
      reference === undefined ? listed : (document.components.responses[reference] as DocumentedResponse)
    for (const [name, { required }] of Object.entries(documented.headers ?? {})) {
      if (required && !headers.has(name)) return `${named}: the header ${name} is missing`
    }
    const types = Object.keys(documented.content ?? {})
    if (types.length === 0) return text === '' ? undefined : `${named}: a body, but none is documented`
    const media = types.find((type) => isOfType(headers.get('content-type'), type))
    if (media === undefined) return `${named}: the content type is ${headers.get('content-type')}`
    // Only JSON has a schema to compare with.
    if (method === 'HEAD' || media !== 'application/json') return undefined
    const at =
      reference === undefined
        ? pointer('paths', (route as { template: string }).template, verb, 'responses', String(status))
        : pointer('components', 'responses', reference)
    return problem(named, text, `${at}${pointer('content', media, 'schema')}`)
  }
}

/** JSON has no parameters; text names its character set. */
const isOfType = (contentType: string | null, type: string): boolean =>
  contentType === type || (type.startsWith('text/') && contentType === `${type}; charset=utf-8`)

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
