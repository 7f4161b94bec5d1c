import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Id of the mutant that is active while all modules load. */
    mutant: string
  }
}

const globals = globalThis as { __stryker__?: { activeMutant?: string } }
globals.__stryker__ ??= {}
globals.__stryker__.activeMutant = inject('mutant')
