type Searched = string | number | null | undefined

/** Finds a text in others, without regard to case. */
export interface TextSearch {
  /** Whether one of some texts contains it. */
  isInTexts(texts: readonly Searched[]): boolean
  /** Whether one of the texts of an object contains it. @param json The object. */
  isInJson<Item>(json: string, textsOf: (item: Item) => readonly Searched[]): boolean
}

/** The last sigma of a word has a lower case of its own. */
const lower = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

export function textSearch(text: string): TextSearch {
  const wanted = lower(text)
  const wantedInJson = JSON.stringify(wanted).slice(1, -1)
  const isInTexts = (texts: readonly Searched[]): boolean =>
    texts.some((candidate) => lower(String(candidate ?? '')).includes(wanted))
  return {
    isInTexts,
    // Most objects have it nowhere, and parsing takes longest.
    isInJson: (json, textsOf) => lower(json).includes(wantedInJson) && isInTexts(textsOf(JSON.parse(json))),
  }
}
