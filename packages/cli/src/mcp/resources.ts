import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills'
import type { DocsPage } from './docs/bundle.ts'
import { type Docs, docs } from './docs/docs.ts'
import { type OperationPart, operationsOf } from './openapi-parts.ts'

const MARKDOWN = 'text/markdown'
const JSON_TYPE = 'application/json'
const ERRORS_PAGE = 'docs/how-to/troubleshooting.md'

type ErrorSection = DocsPage['sections'][number]

/** Adds the resources: rules, error codes, the OpenAPI document, and the skills. All are read when they are first asked for. */
export function registerResources(server: McpServer): void {
  const add = (name: string, mimeType: string, description: string, text: (all: Docs) => string): void => {
    server.registerResource(name, `formwire://${name}`, { description, mimeType }, async ({ href: uri }) => ({
      contents: [{ uri, mimeType, text: text(await docs()) }],
    }))
  }
  const addEach = (
    name: string,
    description: string,
    keys: (all: Docs) => string[],
    text: (all: Docs, key: string) => string | undefined,
    mimeType = MARKDOWN,
  ): void => {
    const complete = async (start: string): Promise<string[]> =>
      keys(await docs()).filter((key) => key.toLowerCase().startsWith(start.toLowerCase()))
    const template = new ResourceTemplate(`formwire://${name}/{key}`, {
      list: undefined,
      complete: { key: complete },
    })
    server.registerResource(
      `${name}-each`,
      template,
      { description, mimeType },
      async ({ href: uri }, { key }) => {
        const found = text(await docs(), String(key))
        if (found === undefined) throw new ResourceNotFoundError(uri)
        return { contents: [{ uri, mimeType, text: found }] }
      },
    )
  }
  add('rules', MARKDOWN, 'Every rule of the service with its id', ({ bundle }) =>
    bundle.rules.map(ruleLine).join(''),
  )
  addEach(
    'rules',
    'One rule by its id, such as DLV-06',
    ({ bundle }) => bundle.rules.map(({ id }) => id),
    ruleText,
  )
  add('errors', MARKDOWN, 'Every error code with its meaning', (all) =>
    errorSections(all).map(errorLine).join(''),
  )
  addEach('errors', 'Cause and fix of one error code', errorCodes, errorText)
  const addOpenapi = (name: string, api: string, whole: string, json: (all: Docs) => string): void => {
    let read: OperationPart[] | undefined
    const parts = (all: Docs): OperationPart[] => {
      read ??= operationsOf(json(all))
      return read
    }
    add(name, MARKDOWN, `Operations of ${api}, each with its id`, (all) =>
      parts(all).map(operationLine).join(''),
    )
    addEach(
      name,
      `OpenAPI 3.1 of one operation of ${api} by its id, with the schemas that it uses`,
      (all) => parts(all).map(({ id }) => id),
      (all, key) => parts(all).find(({ id }) => id === key)?.text,
      JSON_TYPE,
    )
    add(`${name}.json`, JSON_TYPE, `The whole OpenAPI 3.1 document of ${api}: ${whole}`, json)
  }
  addOpenapi('openapi', 'the API', '100,000 characters', ({ bundle }) => bundle.openapi)
  addOpenapi(
    'control.openapi',
    '/_app, the control API of the local server',
    '280,000 characters',
    ({ bundle }) => bundle.controlOpenapi,
  )
  skills().attach(server)
}

const operationLine = ({ id, title }: OperationPart): string => `- **${id}** ${title}\n`

const ruleLine = ({ id, statement }: { id: string; statement: string }): string =>
  `- **${id}** ${statement}\n`

function ruleText({ bundle }: Docs, key: string): string | undefined {
  const rule = bundle.rules.find(({ id }) => id === key.toUpperCase())
  return rule && ruleLine(rule)
}

/** Returns the sections about one error each. Those of npm are last: a program does not see them. */
function errorSections({ bundle }: Docs): ErrorSection[] {
  const sections = bundle.pages.find(({ path }) => path === ERRORS_PAGE)?.sections ?? []
  const start = sections.findIndex(({ anchors }) => anchors.includes('npm'))
  const end = sections.findIndex(({ level }, index) => index > start && level === 2)
  return [...sections.slice(0, start), ...sections.slice(end), ...sections.slice(start, end)].filter(
    ({ level }) => level === 3,
  )
}

const errorLine = ({ title, text }: ErrorSection): string => {
  const [, paragraph = ''] = text.split('\n\n')
  return `- **${title}** ${paragraph.replace(/\s+/g, ' ').trim()}\n`
}

/** The codes in the heading of a section, and names of classes. */
const codesOf = ({ title }: ErrorSection): string[] => title.match(/[A-Za-z_]{3,}/g) ?? []

const errorCodes = (all: Docs): string[] => [...new Set(errorSections(all).flatMap(codesOf))]

/** A code may be that of the API and of the command line. */
function errorText(all: Docs, key: string): string | undefined {
  const found = errorSections(all).filter((section) => codesOf(section).includes(key))
  return found.length === 0 ? undefined : found.map(({ text }) => text).join('')
}

/** The skills at `skill://NAME/SKILL.md`. */
function skills(): SkillsExtension {
  const files = async (): Promise<[path: string, text: string][]> =>
    Object.entries((await docs()).bundle.skills)
  const entries = async () =>
    await Promise.all(
      (await files()).map(([path, text]) => {
        const [folder = '', ...rest] = path.split('/')
        return skillEntry(folder, { [rest.join('/')]: text })
      }),
    )
  return new SkillsExtension({
    source: {
      list: async () => ({ skills: await entries() }),
      get: async (uri) => (await entries()).find((entry) => entry.uri === uri),
      read: async (uri) => {
        const [, text] = (await files()).find(([path]) => `skill://${path}` === uri) ?? []
        return text === undefined ? undefined : { text, mimeType: MARKDOWN }
      },
      listResources: async () =>
        (await entries()).map(({ uri, frontmatter }) => ({
          uri,
          name: frontmatter.name,
          description: frontmatter.description,
          mimeType: MARKDOWN,
        })),
    },
  })
}
