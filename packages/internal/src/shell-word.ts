/** Quotes a text as one shell word. Inside single quotes, everything except the quote itself is literal. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the text as one word of a shell, quoted if it must be. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text))
