/** Words of a text, also those that an identifier consists of: `missing_header` is found by `header`, and `fileCheckpoint` by `file`. */
const tokenize = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/[_-]|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    return parts.length > 1 ? [word, ...parts] : [word]
  })

/** Returns a word without its English ending, so that "rotating" finds "rotate". Leaves out words that every page has. */
const processTerm = (term: string): string | null => {
  const word = term.toLowerCase()
  return /^(?:an?|and|are|as|at|be|by|do|does|for|from|gets|how|i|in|is|it|my|not?|of|on|or|that|the|this|to|what|when|with)$/.test(
    word,
  )
    ? null
    : word.replace(/^(?=[a-z]{4,}$)(.*?[aeiouy][a-z]+?)(?:ies|y|ing|ions?|ed|es|(?<![siu])s|e)$/, '$1')
}

/** Where a reader looks first: recipes and tutorials, before the page of all errors. Last are the pages that list everything. */
const boostDocument = (id: string, term: string): number => {
  if (/\/explanation\/(?:polling|webhook-delivery)\./.test(id)) return 1.5
  // The parameters of a list.
  if (/^(?:since?|until)$/.test(term) && /\/http-api\/responses\./.test(id)) return 4
  if (/\/(?:how-to|tutorials)\//.test(id)) return id.includes('/troubleshooting.') ? 1.9 : 2
  return /\/(?:reference\/(?:api|control-api)|examples|project)\/|\/(?:architecture|benchmarks|conformance)\./.test(
    id,
  )
    ? 0.5
    : 1
}

/**
 * Options of MiniSearch, for the index and for the search. The site contains the functions as text, so they cannot use anything outside of
 * themselves.
 */
export const SEARCH = {
  options: { tokenize, processTerm },
  searchOptions: {
    boost: { title: 6, titles: 2, text: 1 },
    prefix: true,
    fuzzy: (term: string): number | false => (/^[a-z]{5,}$/.test(term) ? 0.2 : false),
    boostDocument,
  },
}
