import type { MarkdownRenderer } from 'vitepress'
import { slugOf } from './markdown.ts'

type Tokens = ReturnType<MarkdownRenderer['parse']>

/**
 * Gives headings every anchor that links to them use: `{#id}` after a heading, else that of GitHub, and also that of VitePress.
 * `<a id="…"></a>` in a text is an anchor too, though other HTML is text.
 */
export function addAnchors(md: MarkdownRenderer): void {
  md.core.ruler.after('block', 'heading-ids', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const inline = tokens[index + 1]
      const given = token.type === 'heading_open' ? / *\{#([\w-]+)\}\s*$/.exec(inline?.content ?? '') : null
      if (!inline || !given) return
      token.attrSet('id', given[1] as string)
      inline.content = inline.content.slice(0, given.index)
    })
  })
  md.core.ruler.push('more-anchors', ({ tokens, Token }) => {
    const used = new Set(idsOf(tokens))
    tokens.forEach((token, index) => {
      const children = tokens[index + 1]?.children
      if (token.type !== 'heading_open' || !children) return
      const text = children
        .map(({ type, content }) => (/^(?:text|code_inline)$/.test(type) ? content : ''))
        .join('')
      for (const id of [slugOf(text), vitePressSlug(text)]) {
        if (id === '' || used.has(id)) continue
        used.add(id)
        const anchor = new Token('html_inline', '', 0)
        anchor.content = `<span id="${id}"></span>`
        // Not at the end: VitePress searches a section only if its heading ends with the link to it.
        children.unshift(anchor)
      }
    })
  })
  md.inline.ruler.before('html_inline', 'anchor', (state, silent) => {
    const found = /^<a id="([\w-]+)"><\/a>/.exec(state.src.slice(state.pos, state.pos + 100))
    if (!found) return false
    if (!silent) state.push('html_inline', '', 0).content = `<span id="${found[1]}"></span>`
    state.pos += found[0].length
    return true
  })
}

const idsOf = (tokens: Tokens): string[] =>
  tokens.flatMap((token) => (token.type === 'heading_open' ? [token.attrGet('id') ?? ''] : []))

/** The anchors of VitePress, which differ from those of GitHub in underscores and in letters with accents. */
const vitePressSlug = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
