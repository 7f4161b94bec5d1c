import { read } from '../project/project.ts'
import { slugOf } from './markdown.ts'
import type { Page, SectionName } from './page.ts'
import { assetPath, linkBetween } from './repository.ts'
import { SDK_EXAMPLES } from './sdk-examples.ts'

/** The parts of JSON Schema that our documents use. */
interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

interface Body {
  $ref?: string
  description?: string
  headers?: Record<string, { description?: string; schema: Schema }>
  content?: Record<string, Media>
}

interface Parameter {
  in: string
  name: string
  schema: Schema
  required?: boolean
  description?: string
  example?: unknown
}

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Body>
}

interface Document {
  info: { title: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Body>
    securitySchemes: Record<string, { description?: string }>
  }
}

/** How a document becomes pages. */
export interface OpenApiPages {
  /** OpenAPI 3.1 in JSON, which the site has as a file too. */
  file: string
  /** Folder in the site. */
  folder: string
  /** Title of the overview, and section of all pages. */
  title: SectionName
  /** Text of the first page after the description. */
  introduction: string
  /** A first request, after the base. */
  first: string
  /** Variable with the credential in the examples. */
  credential: string
}

/** The API of the service. */
export const HTTP_API: OpenApiPages = {
  file: 'packages/contract/openapi.json',
  folder: 'reference/http-api',
  title: 'HTTP API',
  introduction:
    'The examples need two variables: `FORMWIRE_BASE_URL`, the root of the service, and `FORMWIRE_API_KEY`. ' +
    'Rate limits, polling and retries are in the [rules of the service](../rules.md).',
  first: '/me',
  credential: 'FORMWIRE_API_KEY',
}

/** The control API of the reference server. */
export const CONTROL_API: OpenApiPages = {
  file: 'packages/contract/control.openapi.json',
  folder: 'reference/control-api',
  title: 'Control API',
  introduction:
    'The examples need two variables: `FORMWIRE_BASE_URL`, the URL that `formwire-server` prints, and `FORMWIRE_ADMIN_TOKEN`, ' +
    'the admin token that it prints.',
  first: '/clock',
  credential: 'FORMWIRE_ADMIN_TOKEN',
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Text in a cell of a table. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
/** A table, or nothing without rows. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
/** Blocks of code as the tabs of one box. */
const tabs = (...blocks: readonly (readonly [language: string, tab: string, code: string])[]): string =>
  [
    '::: code-group',
    ...blocks.map(([language, tab, code]) => fenced(`${language} [${tab}]`, code)),
    ':::',
  ].join('\n\n')
/** Paragraphs, without those that are empty. */
const paragraphs = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n\n')
const jsonOf = (body: unknown): string => JSON.stringify(body, null, 2)
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
const value = (constant: unknown): string => `\`${JSON.stringify(constant)}\``
const jsonIn = (content: Record<string, Media> = {}): Media | undefined => content['application/json']
const exampleOf = (media?: Media): unknown => media?.example ?? Object.values(media?.examples ?? {})[0]?.value

/** An operation at its path; that of an event is the request that an endpoint gets. */
interface Located {
  method: string
  path: string
  /** The path with that of the server before it. */
  url: string
  isEvent: boolean
  operation: Operation
}

/** Returns an overview, a page for each tag, and one with the schemas. */
export function openApiPages(options: OpenApiPages): Page[] {
  const document = JSON.parse(read(options.file)) as Document
  const { info, tags, components, paths, webhooks = {} } = document
  const base = document.servers[0]?.url ?? ''
  const located = (items: Document['paths'], isEvent: boolean): Located[] =>
    Object.entries(items).flatMap(([path, item]) =>
      METHODS.flatMap((name) => {
        const operation = item[name]
        return operation ? { method: name.toUpperCase(), path, url: base + path, isEvent, operation } : []
      }),
    )
  const operations = [...located(paths, false), ...located(webhooks, true)]
  const operationsOf = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  const page = (path: string, title: string, description: string, text: string): Page => ({
    path: `${options.folder}/${path}`,
    text: `${text}\n`,
    section: options.title,
    source: null,
    title,
    description,
  })

  const codeOf = (name: string): string =>
    (exampleOf(jsonIn(components.responses[name]?.content)) as Refusal | undefined)?.error?.code ?? name
  /** Returns the statuses that have a refusal as their body. */
  const statusesOf = (name: string): string => {
    const found = operations
      .flatMap(({ operation }) => Object.entries(operation.responses))
      .filter(([, { $ref }]) => $ref !== undefined && nameOf($ref) === name)
    return [...new Set(found.map(([status]) => status))].join(', ')
  }

  const overview = (): string => {
    const download = linkBetween(`${options.folder}/index.md`, assetPath(options.file))
    const { RateLimited } = components.responses
    const refusals = Object.entries(components.responses).map(([name, { description = '' }]) => [
      statusesOf(name),
      `\`${codeOf(name)}\``,
      description,
    ])
    return paragraphs(
      `# ${options.title}`,
      info.description,
      '## Base URL and credential',
      `${options.introduction} The credential: ${Object.values(components.securitySchemes)[0]?.description ?? ''}`,
      fenced(
        'sh',
        `curl "$FORMWIRE_BASE_URL${base}${options.first}" \\\n  -H "Authorization: Bearer $${options.credential}"`,
      ),
      `This reference is generated from the [OpenAPI document](${download}), which you can load into a client generator or Postman. ` +
        'The fields of every object are on the page of [schemas](./schemas.md).',
      ...tags.flatMap(({ name }) => [
        `## ${name}`,
        table(
          ['Route', ''],
          operationsOf(name).map(({ method, path, url, operation: { summary }, isEvent }) => [
            isEvent ? `\`${path}\`` : `\`${method} ${url}\``,
            `[${summary}](./${slugOf(name)}.md#${slugOf(summary)})`,
          ]),
        ),
      ]),
      '## Errors',
      'The same status always has the same code:',
      fenced('json', jsonOf(exampleOf(jsonIn(components.responses.ValidationFailed?.content)))),
      table(['Status', 'Code', 'When'], refusals.toSorted()),
      RateLimited && '## Rate limit',
      RateLimited?.description,
      RateLimited &&
        fenced(
          'http',
          `HTTP/1.1 429 Too Many Requests\nRetry-After: ${RateLimited.headers?.['Retry-After']?.schema.examples?.[0]}`,
        ),
    )
  }

  const operationText = ({ method, path, url, operation, isEvent }: Located): string => {
    const { summary, description, parameters = [], requestBody } = operation
    const media = jsonIn(requestBody?.content)
    const parameterRows = parameters.map(
      ({ name, in: place, schema, required, description: meaning = '' }) => [
        `\`${name}\``,
        required ? place : `${place}, optional`,
        typeOf(schema),
        meaning,
      ],
    )
    return paragraphs(
      `## ${summary}`,
      isEvent ? `\`POST\` to your endpoint, with \`"event": "${path}"\`` : `\`${method} ${url}\``,
      description,
      table(['Parameter', 'In', 'Type', 'Meaning'], parameterRows),
      media?.schema && `**Body**: ${typeOf(media.schema)}${requestBody?.required ? '' : ', optional'}`,
      media?.schema?.$ref === undefined && media?.schema ? fieldTable(media.schema) : '',
      isEvent
        ? // Examples of a request contain its body.
          tabs(['json', 'Payload', jsonOf(media?.example)])
        : tabs(...requestsOf(method, url, operation, options)),
      ...responseTexts(operation, isEvent),
    )
  }

  const responseTexts = ({ responses }: Operation, isEvent: boolean): string[] => {
    const isShared = (status: string): boolean => !isEvent && Number(status) >= 400
    const resolved = Object.entries(responses).map(([status, body]) => {
      const { description = '', content } = body.$ref
        ? (components.responses[nameOf(body.$ref)] as Body)
        : body
      return { status, description, content, example: exampleOf(jsonIn(content)) }
    })
    const rows = resolved
      .filter(({ status }) => !isShared(status))
      .map(({ status, description, content = {} }) => {
        const schema = Object.values(content)[0]?.schema
        return [status, description, ...(isEvent ? [] : [schema ? typeOf(schema) : ''])]
      })
    const errors = Object.keys(responses).filter(isShared)
    const shown = resolved.find(({ status, example }) => Number(status) < 400 && example !== undefined)
    return [
      table(isEvent ? ['Respond with', 'Effect'] : ['Status', 'When', 'Content'], rows),
      errors.length > 0 ? `**Errors**: ${errors.join(', ')}; see [Errors](./index.md#errors).` : '',
      shown ? tabs(['json', `Response ${shown.status}`, jsonOf(shown.example)]) : '',
    ]
  }

  const schemaTexts = Object.entries(components.schemas).map(([name, schema]) =>
    paragraphs(`## ${name}`, schema.description, fieldTable(schema) || `Type: ${typeOf(schema)}`),
  )
  return [
    page('index.md', options.title, info.description, overview()),
    ...tags.map(({ name, description }) => {
      const all = operationsOf(name)
      const list = all.map(({ operation: { summary } }) => `- [${summary}](#${slugOf(summary)})`).join('\n')
      const text = paragraphs(`# ${name}`, description, list, ...all.map(operationText))
      return page(`${slugOf(name)}.md`, name, description, text)
    }),
    page(
      'schemas.md',
      `Schemas of the ${options.title}`,
      'Every object with its fields.',
      paragraphs(`# Schemas of the ${options.title}`, ...schemaTexts),
    ),
  ]
}

/** The body of a refusal. */
type Refusal = { error?: { code?: string } }

/** The request in several languages, for an environment with `FORMWIRE_BASE_URL` and the credential. */
function requestsOf(
  method: string,
  template: string,
  { operationId, parameters = [], requestBody, security, responses }: Operation,
  options: OpenApiPages,
): [string, string, string][] {
  const { credential } = options
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((one) => one.name === name)?.example ?? `$${name.toUpperCase()}`),
  )
  const media = jsonIn(requestBody?.content)
  const body = media && JSON.stringify(media.example ?? {})
  const isPublic = security?.length === 0
  const isJson = Object.entries(responses).every(
    ([status, { content = {} }]) => Number(status) >= 400 || 'application/json' in content,
  )
  const lines = (...parts: readonly (string | false)[]): string[] => parts.filter((part) => part !== false)
  // The URL is a line of its own, since lines are as long as the column of examples.
  const curl = lines(
    'curl',
    method !== 'GET' && `--request ${method}`,
    !isPublic && `--header "Authorization: Bearer $${credential}"`,
    body !== undefined && "--header 'Content-Type: application/json'",
    body !== undefined && `--data '${body.replaceAll("'", "'\\''")}'`,
    `"$FORMWIRE_BASE_URL${url}"`,
  )
  const python = lines(
    isJson ? 'import json, os' : 'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    '    os.environ["FORMWIRE_BASE_URL"]',
    `    + "${url}",`,
    method !== 'GET' && `    method="${method}",`,
    body !== undefined && `    data=b'${body.replaceAll("'", "\\'")}',`,
    !(isPublic && body === undefined) && '    headers={',
    !isPublic && `        "Authorization": "Bearer "\n        + os.environ["${credential}"],`,
    body !== undefined && '        "Content-Type": "application/json",',
    !(isPublic && body === undefined) && '    },',
    ')',
    'with urlopen(request) as response:',
    isJson ? '    print(json.load(response)["data"])' : '    print(response.read().decode())',
  )
  const sdk = options === HTTP_API ? SDK_EXAMPLES[operationId] : undefined
  const typescript = lines(
    "import { Formwire } from '@formwire/sdk'",
    '',
    `const formwire = new Formwire() // ${credential}, FORMWIRE_BASE_URL`,
    sdk ?? '',
  )
  return [
    ['sh', 'curl', `${curl[0]} ${curl.slice(1).join(' \\\n  ')}`],
    ...(sdk ? [['ts', 'TypeScript', typescript.join('\n')] as [string, string, string]] : []),
    ['python', 'Python', python.join('\n')],
  ]
}

const fieldTable = (schema: Schema): string => table(['Field', 'Type', 'Meaning'], fieldsOf(schema))

/** The rows of an object; those of an object within it have dotted names. */
function fieldsOf(schema: Schema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const type = `${typeOf(field)}${schema.required?.includes(name) ? '' : ', optional'}`
    return [[`\`${path}\``, type, field.description ?? ''], ...fieldsOf(field, `${path}.`)]
  })
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, type, items = {}, properties = {}, additionalProperties: others } = schema
  if ($ref !== undefined) return `[${nameOf($ref)}](./schemas.md#${slugOf(nameOf($ref))})`
  if (schema.const !== undefined) return value(schema.const)
  if (schema.enum) return schema.enum.map(value).join(' or ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  const known = schema['x-extensible-enum']
  if (known) return `${type}, such as ${known.map(value).join(', ')}`
  if (type === 'array') return `list of ${typeOf(items)}`
  if (type !== 'object') return [[type ?? 'anything'].flat().join(' or '), ...limitsOf(schema)].join(', ')
  const { data, meta, ...rest } = properties
  // The envelope.
  if (data && Object.keys(rest).length === 0) return `\`data\`: ${typeOf(data)}${meta ? ', with `meta`' : ''}`
  const isMap = Object.keys(properties).length === 0 && typeof others === 'object'
  return isMap && Object.keys(others).length > 0 ? `object of ${typeOf(others)} by name` : 'object'
}

/** The largest integer of JSON, which says nothing to a reader. */
const LARGEST = Number.MAX_SAFE_INTEGER

function limitsOf({ format, minimum, maximum, minLength, maxLength, pattern }: Schema): string[] {
  const low = minimum === undefined || minimum === -LARGEST ? undefined : minimum
  const high = maximum === undefined || maximum === LARGEST ? undefined : maximum
  const limits: string[] = []
  if (format !== undefined) limits.push(format)
  if (low !== undefined && high !== undefined) limits.push(`${low} to ${high}`)
  else if (low !== undefined) limits.push(`from ${low}`)
  else if (high !== undefined) limits.push(`up to ${high}`)
  if (minLength !== undefined && minLength === maxLength) limits.push(`${minLength} characters`)
  else if (maxLength !== undefined) limits.push(`up to ${maxLength} characters`)
  if (pattern !== undefined) limits.push(`\`${pattern}\``)
  return limits
}
