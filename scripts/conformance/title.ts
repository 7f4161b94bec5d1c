/** What a test's title says. */
export interface Title {
  /** Ids of the rules that it names, each once. */
  readonly rules: readonly string[]
  /** The title without them. */
  readonly text: string
  /** Brackets that seem to name rules but cannot be read. */
  readonly unreadable: readonly string[]
}

const ID = '[A-Z]+-\\d+'
/** `[AUTH-01]`, or several: `[AUTH-01] [AUTH-03]`, `[AUTH-01, AUTH-03]`. */
const IDS = new RegExp(`\\[(${ID}(?:, ${ID})*)\\]`, 'g')
/** Anything in brackets that holds letters and a number after a hyphen or a space. */
const LIKE_IDS = /\[[^\]]*\b[a-z]+[-_ ]{1,3}\d+\b[^\]]*\]/gi

/** Reads the rule ids of a title. */
export function readTitle(title: string): Title {
  const rules = [...title.matchAll(IDS)].flatMap(([, ids = '']) => ids.split(', '))
  const rest = title.replace(IDS, '')
  return {
    rules: [...new Set(rules)],
    text: rest
      .replace(/\s+/g, ' ')
      .replace(/^> |> $/g, '')
      .trim(),
    unreadable: rest.match(LIKE_IDS) ?? [],
  }
}
