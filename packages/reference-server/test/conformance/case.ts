import type { ReferenceServerOptions } from '../../src/index.ts'
import type { World } from './world.ts'

/** The ways into the server; each case runs over all of them unless it says why not. */
export const DOORS = ['in process', 'socket', 'msw'] as const

export type Door = (typeof DOORS)[number]

/** One thing that the service promises, shown over every door. */
export interface Case {
  /** Ids of the rules it proves. */
  readonly rules: readonly string[]
  /** A sentence. */
  readonly title: string
  /** Options of its server, beside the common seed and a manual clock. */
  readonly options?: ReferenceServerOptions
  /** Doors it does not run on, each with the reason. */
  readonly leftOut?: Partial<Readonly<Record<Door, string>>>
  readonly run: (world: World) => Promise<void>
}

/** A case; `rules` are separated by spaces. */
export function shows(
  rules: string,
  title: string,
  run: Case['run'],
  more: Pick<Case, 'options' | 'leftOut'> = {},
): Case {
  return { rules: rules.split(' '), title, run, ...more }
}
