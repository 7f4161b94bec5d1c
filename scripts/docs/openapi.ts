import { readFileSync } from 'node:fs'
import { root } from '../project/project.ts'
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

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: unknown[]
  parameters?: {
    in: string
    name: string
    schema: Schema
    required?: boolean
    description?: string
    example?: unknown
  }[]
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

/** Returns an overview, a page for each tag, and one with the schemas. */
export function openApiPages(options: OpenApiPages): Page[] {
  const document = JSON.parse(readFileSync(root + options.file, 'utf8')) as Document
  const writer = new Writer(document, options)
  const page = (path: string, title: string, text: string, description: string): Page => ({
    path: `${options.folder}/${path}`,
    text,
    section: options.title,
    source: null,
    title,
    description,
  })
  const tags = document.tags.map(({ name, description }) =>
    page(`${slugOf(name)}.md`, name, writer.tagPage(name, description), description),
  )
  const { description } = document.info
  return [
    page('index.md', options.title, writer.overview(), description),
    ...tags,
    page(
      'schemas.md',
      `Schemas of the ${options.title}`,
      writer.schemaPage(),
      'Every object with its fields.',
    ),
  ]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Text in a cell of a table. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
/** Blocks of code as the tabs of one box. */
const tabs = (blocks: readonly (readonly [language: string, tab: string, code: string])[]): string =>
  [
    '::: code-group',
    ...blocks.map(([language, tab, code]) => `\`\`\`${language} [${tab}]\n${code}\n\`\`\``),
    ':::',
  ].join('\n\n')
const jsonOf = (body: unknown): string => JSON.stringify(body, null, 2)
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
const value = (constant: unknown): string => `\`${JSON.stringify(constant)}\``

class Writer {
  readonly #document: Document
  readonly #options: OpenApiPages
  readonly #base: string

  constructor(document: Document, options: OpenApiPages) {
    this.#document = document
    this.#options = options
    this.#base = document.servers[0]?.url ?? ''
  }

  overview(): string {
    const { info, tags, components } = this.#document
    const { file, folder } = this.#options
    const download = linkBetween(`${folder}/index.md`, assetPath(file))
    const sections = tags.map(({ name }) => {
      const rows = this.#operationsOf(name).map(({ method, path, operation, isEvent }) => [
        isEvent ? `\`${path}\`` : `\`${method} ${this.#base}${path}\``,
        `[${operation.summary}](./${slugOf(name)}.md#${slugOf(operation.summary)})`,
      ])
      return `## ${name}\n\n${table([rows.length > 0 ? 'Route' : '', ''], rows)}`
    })
    const refusals = Object.entries(components.responses).map(([name, { description = '' }]) => [
      this.#statusesOf(name),
      `\`${this.#refusal(name)?.error?.code ?? name}\``,
      description,
    ])
    const { RateLimited } = components.responses
    const limit = RateLimited && [
      '## Rate limit',
      RateLimited.description ?? '',
      `\`\`\`http\nHTTP/1.1 429 Too Many Requests\nRetry-After: ${RateLimited.headers?.['Retry-After']?.schema.examples?.[0]}\n\`\`\``,
    ]
    return [
      `# ${this.#options.title}`,
      info.description,
      '## Base URL and credential',
      `${this.#options.introduction} The credential: ${Object.values(components.securitySchemes)[0]?.description ?? ''}`,
      `\`\`\`sh\ncurl "$FORMWIRE_BASE_URL${this.#base}${this.#options.first}" \\\n  -H "Authorization: Bearer $${this.#options.credential}"\n\`\`\``,
      `This reference is generated from the [OpenAPI document](${download}), which you can load into a client generator or Postman. ` +
        'The fields of every object are on the page of [schemas](./schemas.md).',
      ...sections,
      '## Errors',
      'The same status always has the same code:',
      `\`\`\`json\n${jsonOf(this.#refusal('ValidationFailed'))}\n\`\`\``,
      table(['Status', 'Code', 'When'], refusals.toSorted()),
      ...(limit ?? []),
      '',
    ].join('\n\n')
  }

  /** Returns the statuses that have a refusal as their body. */
  #statusesOf(name: string): string {
    const responses = Object.values(this.#document.paths).flatMap((item) =>
      METHODS.flatMap((method) => Object.entries(item[method]?.responses ?? {})),
    )
    const found = responses.filter(([, { $ref }]) => $ref !== undefined && nameOf($ref) === name)
    return [...new Set(found.map(([status]) => status))].join(', ')
  }

  #refusal(name: string): { error?: { code?: string } } | undefined {
    const body = this.#document.components.responses[name]?.content?.['application/json']
    return (body?.example ?? Object.values(body?.examples ?? {})[0]?.value) as { error?: { code?: string } }
  }

  #operationsOf(tag: string): { method: string; path: string; operation: Operation; isEvent: boolean }[] {
    const { paths, webhooks = {} } = this.#document
    return [
      ...Object.entries(paths).map((entry) => [...entry, false] as const),
      ...Object.entries(webhooks).map((entry) => [...entry, true] as const),
    ].flatMap(([path, item, isEvent]) =>
      METHODS.flatMap((method) => {
        const operation = item[method]
        return operation?.tags.includes(tag)
          ? [{ method: method.toUpperCase(), path, operation, isEvent }]
          : []
      }),
    )
  }

  tagPage(tag: string, description: string): string {
    const all = this.#operationsOf(tag)
    const list = all.map(({ operation: { summary } }) => `- [${summary}](#${slugOf(summary)})`)
    const operations = all.map(({ method, path, operation, isEvent }) =>
      [
        `## ${operation.summary}`,
        isEvent
          ? `\`POST\` to your endpoint, with \`"event": "${path}"\``
          : `\`${method} ${this.#base}${path}\``,
        ...(operation.description ? [operation.description] : []),
        ...this.#parameters(operation),
        ...this.#requestBody(operation, isEvent),
        ...(isEvent ? [] : [tabs(this.#examples(method, path, operation))]),
        ...this.#responses(operation, isEvent),
      ].join('\n\n'),
    )
    return `${[`# ${tag}`, description, list.join('\n'), ...operations].join('\n\n')}\n`
  }

  #parameters({ parameters = [] }: Operation): string[] {
    if (parameters.length === 0) return []
    const rows = parameters.map(({ name, in: place, schema, required, description }) => [
      `\`${name}\``,
      required ? place : `${place}, optional`,
      this.#typeOf(schema),
      description ?? '',
    ])
    return [table(['Parameter', 'In', 'Type', 'Meaning'], rows)]
  }

  #requestBody({ requestBody }: Operation, isEvent: boolean): string[] {
    const media = requestBody?.content['application/json']
    if (!media?.schema) return []
    const { $ref } = media.schema
    const fields = $ref === undefined ? this.#fields(media.schema) : []
    return [
      `**Body**: ${this.#typeOf(media.schema)}${requestBody?.required ? '' : ', optional'}`,
      ...(fields.length > 0 ? [table(['Field', 'Type', 'Meaning'], fields)] : []),
      // Examples of a request contain its body.
      ...(isEvent && media.example !== undefined ? [tabs([['json', 'Payload', jsonOf(media.example)]])] : []),
    ]
  }

  /** The request in several languages, for an environment with `FORMWIRE_BASE_URL` and the credential. */
  #examples(method: string, path: string, operation: Operation): [string, string, string][] {
    const { operationId, parameters = [], requestBody, security, responses } = operation
    const { credential } = this.#options
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const example = parameters.find((one) => one.name === name)?.example
      return String(example ?? `$${name.toUpperCase()}`)
    })
    const media = requestBody?.content['application/json']
    const body = media && JSON.stringify(media.example ?? {})
    const url = `${this.#base}${filled}`
    const isPublic = security?.length === 0
    // The URL is a line of its own, since lines are as long as the column of examples.
    const curl = [
      ...(method === 'GET' ? [] : [`--request ${method}`]),
      ...(isPublic ? [] : [`--header "Authorization: Bearer $${credential}"`]),
      ...(body === undefined
        ? []
        : ["--header 'Content-Type: application/json'", `--data '${body.replaceAll("'", "'\\''")}'`]),
      `"$FORMWIRE_BASE_URL${url}"`,
    ]
    const headers = [
      ...(isPublic ? [] : ['        "Authorization": "Bearer "', `        + os.environ["${credential}"],`]),
      ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    ]
    const isJson = Object.entries(responses).every(
      ([status, { content = {} }]) => Number(status) >= 400 || 'application/json' in content,
    )
    const python = [
      isJson ? 'import json, os' : 'import os',
      'from urllib.request import Request, urlopen',
      '',
      'request = Request(',
      '    os.environ["FORMWIRE_BASE_URL"]',
      `    + "${url}",`,
      ...(method === 'GET' ? [] : [`    method="${method}",`]),
      ...(body === undefined ? [] : [`    data=b'${body.replaceAll("'", "\\'")}',`]),
      ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
      ')',
      'with urlopen(request) as response:',
      isJson ? '    print(json.load(response)["data"])' : '    print(response.read().decode())',
    ]
    const sdk = SDK_EXAMPLES[operationId]
    const typescript = [
      "import { Formwire } from '@formwire/sdk'",
      '',
      `const formwire = new Formwire() // ${credential}, FORMWIRE_BASE_URL`,
      sdk,
    ].join('\n')
    return [
      ['sh', 'curl', `curl ${curl.join(' \\\n  ')}`],
      ...(this.#options === HTTP_API && sdk
        ? [['ts', 'TypeScript', typescript] as [string, string, string]]
        : []),
      ['python', 'Python', python.join('\n')],
    ]
  }

  #responses({ responses }: Operation, isEvent: boolean): string[] {
    const resolved = Object.entries(responses).map(([status, body]) => ({
      status,
      body: body.$ref === undefined ? body : (this.#document.components.responses[nameOf(body.$ref)] as Body),
    }))
    const isShared = (status: string): boolean => !isEvent && Number(status) >= 400
    const rows = resolved
      .filter(({ status }) => !isShared(status))
      .map(({ status, body }) => {
        const schema = Object.values(body.content ?? {})[0]?.schema
        return [status, body.description ?? '', ...(isEvent ? [] : [schema ? this.#typeOf(schema) : ''])]
      })
    const errors = Object.keys(responses).filter(isShared)
    const [example] = resolved.flatMap(({ status, body }) => {
      const media = body.content?.['application/json']
      const shown = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
      return Number(status) < 400 && shown !== undefined ? [{ status, shown }] : []
    })
    return [
      table(isEvent ? ['Respond with', 'Effect'] : ['Status', 'When', 'Content'], rows),
      ...(errors.length > 0 ? [`**Errors**: ${errors.join(', ')}; see [Errors](./index.md#errors).`] : []),
      ...(example ? [tabs([['json', `Response ${example.status}`, jsonOf(example.shown)]])] : []),
    ]
  }

  schemaPage(): string {
    const schemas = Object.entries(this.#document.components.schemas).map(([name, schema]) => {
      const fields = this.#fields(schema)
      return [
        `## ${name}`,
        ...(schema.description ? [schema.description] : []),
        ...(fields.length > 0
          ? [table(['Field', 'Type', 'Meaning'], fields)]
          : [`Type: ${this.#typeOf(schema)}`]),
      ].join('\n\n')
    })
    return `${[`# Schemas of the ${this.#options.title}`, ...schemas].join('\n\n')}\n`
  }

  /** The rows of an object; those of an object within it have dotted names. */
  #fields(schema: Schema, prefix = ''): string[][] {
    const required = new Set(schema.required)
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const path = `${prefix}${name}`
      const type = this.#typeOf(field)
      const row = [`\`${path}\``, required.has(name) ? type : `${type}, optional`, field.description ?? '']
      return [row, ...this.#fields(field, `${path}.`)]
    })
  }

  #typeOf(schema: Schema): string {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      return `[${name}](./schemas.md#${slugOf(name)})`
    }
    if (schema.const !== undefined) return value(schema.const)
    if (schema.enum) return schema.enum.map(value).join(' or ')
    if (schema.anyOf) return schema.anyOf.map((one) => this.#typeOf(one)).join(' or ')
    const known = schema['x-extensible-enum']
    if (known) return `${schema.type}, such as ${known.map(value).join(', ')}`
    if (schema.type === 'array') return `list of ${this.#typeOf(schema.items ?? {})}`
    if (schema.type === 'object') return this.#objectType(schema)
    return [[schema.type ?? 'anything'].flat().join(' or '), ...limitsOf(schema)].join(', ')
  }

  #objectType({ properties, additionalProperties }: Schema): string {
    const [only, ...others] = Object.entries(properties ?? {})
    // The envelope.
    if (only?.[0] === 'data' && others.every(([name]) => name === 'meta')) {
      return `\`data\`: ${this.#typeOf(only[1])}${others.length > 0 ? ', with `meta`' : ''}`
    }
    const values = typeof additionalProperties === 'object' ? additionalProperties : {}
    return only === undefined && Object.keys(values).length > 0
      ? `object of ${this.#typeOf(values)} by name`
      : 'object'
  }
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
