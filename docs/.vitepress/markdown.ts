import type { MarkdownRenderer } from 'vitepress'

type Tokens = Parameters<MarkdownRenderer['renderer']['render']>[0]
type Token = Tokens[number]

/** Pages that describe the operations of an API. */
const OPERATIONS = /^reference\/(?:http|control)-api\/(?!index|schemas)/

/** Changes what Markdown becomes on the site, where its HTML needs more than Markdown can say. */
export function addLayout(md: MarkdownRenderer): void {
  md.core.ruler.push('tables', ({ tokens }) => labelCells(tokens))
  md.core.ruler.push('layout', (state) => {
    const path = String(state.env.relativePath ?? '')
    const html = (content: string): Token => Object.assign(new state.Token('html_block', '', 0), { content })
    if (path === 'index.md') state.tokens = homePage(state.tokens, html)
    if (OPERATIONS.test(path)) state.tokens = inColumns(state.tokens, html)
  })
}

/**
 * Gives the cells of a table the headings of their columns, which stand beside them where rows are stacked. Without the roles, a browser
 * does not expose stacked rows as a table.
 */
function labelCells(tokens: Tokens): void {
  const ROLES: Readonly<Record<string, string>> = {
    table: 'table',
    tr: 'row',
    td: 'cell',
    th: 'columnheader',
  }
  let columns: string[] = []
  let column = 0
  tokens.forEach((token, index) => {
    const role = ROLES[token.tag]
    if (token.nesting !== 1 || role === undefined) return
    token.attrSet('role', role)
    if (token.tag === 'table') columns = []
    if (token.tag === 'tr') column = 0
    if (token.type === 'th_open') columns.push(textOf(tokens[index + 1]))
    if (token.type === 'td_open') token.attrSet('data-label', columns[column++] ?? '')
  })
}

const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join('')

/** Puts the code of each section beside its text. */
function inColumns(tokens: Tokens, html: (content: string) => Token): Tokens {
  const starts = tokens.flatMap(({ type, tag }, index) =>
    type === 'heading_open' && tag === 'h2' ? [index] : [],
  )
  const sections = starts.map((start, index) => tokens.slice(start, starts[index + 1]))
  return [
    ...tokens.slice(0, starts[0]),
    ...sections.flatMap((section) => {
      let isCode = false
      const [text, code]: [Tokens, Tokens] = [[], []]
      for (const token of section) {
        if (token.type === 'container_code-group_open') isCode = true
        ;(isCode ? code : text).push(token)
        if (token.type === 'container_code-group_close') isCode = false
      }
      return [
        html('<section class="operation"><div class="operation-text">'),
        ...text,
        html('</div><div class="operation-code">'),
        ...code,
        html('</div></section>'),
      ]
    }),
  ]
}

/**
 * Puts the parts of the home page into elements: what it is, beside the picture of a terminal; cards; the picture of the console; code for
 * each kind of user; the rest.
 */
function homePage(tokens: Tokens, html: (content: string) => Token): Tokens {
  const [cards = 0, code = 0, rest = 0] = tokens.flatMap(({ type, tag }, index) =>
    type === 'heading_open' && tag === 'h2' ? [index] : [],
  )
  const [terminal = 0, picture = 0] = tokens.flatMap(({ children }, index) =>
    children?.[0]?.type === 'image' ? [index - 1] : [],
  )
  const inCode = tokens.slice(code + 3, rest)
  const starts = inCode.flatMap(({ type }, index) => (type === 'paragraph_open' ? [index] : []))
  return [
    html('<main class="home-page"><div class="home-start"><div>'),
    ...tokens.slice(0, terminal),
    html('</div><div class="home-terminal">'),
    tokens[terminal + 1] as Token,
    html('</div></div><div class="home-cards">'),
    ...tokens.slice(cards, picture),
    html('</div><div class="home-picture">'),
    ...tokens.slice(picture, code),
    html('</div><div class="home-code">'),
    ...tokens.slice(code, code + 3),
    html('<div>'),
    ...starts.flatMap((start, index) => [
      html('<div>'),
      ...inCode.slice(start, starts[index + 1]),
      html('</div>'),
    ]),
    html('</div></div><div class="home-rest">'),
    ...tokens.slice(rest),
    html('</div></main>'),
  ]
}
