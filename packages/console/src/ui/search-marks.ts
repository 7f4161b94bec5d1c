/** Name of the highlight in `grid.css`. */
const NAME = 'search'

/** What is marked word by word: a word that spans two of them was not matched in either. */
const TEXTS = 'main :is([role="gridcell"], td, pre, dd, .passage, .route, .verdict)'

/** Enough for every match on a screen. A body of a megabyte can have more, each of which costs time. */
const MAX_MARKS = 1_000

/**
 * Marks where the list and the open item contain these words, until the returned function is called. Nothing is added to the
 * page: the browser draws the marks, and one that cannot leaves them out.
 */
export function markMatches(words: readonly string[]): () => void {
  const main = document.querySelector('main')
  if (!main || words.length === 0 || !('highlights' in CSS)) return () => {}
  const literals = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const pattern = new RegExp(literals.join('|'), 'giu')
  let frame = 0
  const mark = () => {
    frame = 0
    CSS.highlights.set(NAME, new Highlight(...matchesIn(main, pattern)))
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mark)
  })
  observer.observe(main, { childList: true, characterData: true, subtree: true })
  mark()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(NAME)
  }
}

function matchesIn(main: Element, pattern: RegExp): Range[] {
  const ranges: Range[] = []
  for (const element of main.querySelectorAll(TEXTS)) {
    const nodes = textNodesOf(element)
    const text = nodes.map(({ data }) => data).join('')
    let node = 0
    let start = 0
    /** Returns the node of an offset in `text` and the offset in it. Offsets only grow. */
    const placeOf = (offset: number): [Text, number] => {
      while (offset > start + (nodes[node] as Text).length) start += (nodes[node++] as Text).length
      return [nodes[node] as Text, offset - start]
    }
    for (const { index, 0: match } of text.matchAll(pattern)) {
      if (ranges.length === MAX_MARKS) return ranges
      const range = new Range()
      range.setStart(...placeOf(index))
      range.setEnd(...placeOf(index + match.length))
      ranges.push(range)
    }
  }
  return ranges
}

function textNodesOf(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes
}
