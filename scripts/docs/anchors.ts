import type { MarkdownRenderer } from 'vitepress'

/** Makes `<a id="…"></a>` in a text an anchor, though other HTML is text. */
export function addAnchors(md: MarkdownRenderer): void {
  md.inline.ruler.before('html_inline', 'anchor', (state, silent) => {
    const found = /^<a id="([\w-]+)"><\/a>/.exec(state.src.slice(state.pos, state.pos + 100))
    if (!found) return false
    if (!silent) state.push('html_inline', '', 0).content = `<span id="${found[1]}"></span>`
    state.pos += found[0].length
    return true
  })
}
