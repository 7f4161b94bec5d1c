/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** A shell with a completion script. */
export type Shell = (typeof SHELLS)[number]
