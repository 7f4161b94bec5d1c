/** A word that our texts avoid, and what to write instead. */
export interface RefusedWord {
  readonly pattern: RegExp
  readonly use: string
}

export const REFUSED: readonly RefusedWord[] = [
  { pattern: /\bdoors?\b/gi, use: 'say "adapter", "entry point" or "transport"' },
  { pattern: /\banew\b/gi, use: 'say "again"' },
  { pattern: /\bspoil(?:t|s|ed)?\b/gi, use: 'say "tamper with" or "corrupt"' },
  { pattern: /\bwhoever\b/gi, use: 'name the person or the program' },
  { pattern: /nobody can/gi, use: 'say what is not possible, and why' },
  { pattern: /is no (?:snapshot|member|file)/gi, use: 'say "is not a …"' },
  { pattern: /stands in the/gi, use: 'say "is in the"' },
  { pattern: /made up/gi, use: 'say "generated"' },
  { pattern: /are told/gi, use: 'say "are shown" or "are reported"' },
  { pattern: /\blines? up/gi, use: 'say "queues"' },
  { pattern: /\btime lines?\b/gi, use: 'say "timeline"' },
]

/** Docs, code and tests. */
export const FILES = /\.(?:md|tsx?|mjs|cjs|json|css|html|ya?ml)$/

/** Where a refused word is right: all words of a file, or one word in some files. */
export const ALLOWED: readonly { readonly file: RegExp; readonly word?: RegExp }[] = [
  // The list itself, and the page that explains it.
  { file: /^scripts\/words\// },
  { file: /^docs\/glossary\.md$/ },
  // Not ours to word.
  { file: /^pnpm-lock\.yaml$/ },
]
