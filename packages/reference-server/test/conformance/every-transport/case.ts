import { expect } from 'vitest'
import type { ReferenceServerOptions } from '../../../src/index.ts'
import type { World } from '../world.ts'

/** How a request reaches the server. Each case runs over all of them unless it gives a reason. */
export const TRANSPORTS = ['in process', 'socket', 'msw'] as const

export type Transport = (typeof TRANSPORTS)[number]

/** One statement of the service document, proven over every transport. */
export interface Case {
  /** Ids of the rules that it proves. */
  readonly rules: readonly string[]
  readonly title: string
  /** Server options, added to the common seed and a manual clock. */
  readonly options?: ReferenceServerOptions
  /** Transports that it does not run on, each with the reason. */
  readonly leftOut?: Partial<Readonly<Record<Transport, string>>>
  readonly run: (world: World) => Promise<void>
}

/** Defines a case; `rules` are separated by spaces. */
export function shows(
  rules: string,
  title: string,
  run: Case['run'],
  more: Pick<Case, 'options' | 'leftOut'> = {},
): Case {
  return { rules: rules.split(' '), title, run, ...more }
}

/** Expects the same of what each of several requests tells. A failure names the request. */
export async function expectEach<Ask>(
  asks: readonly Ask[],
  tell: (ask: Ask) => Promise<unknown>,
  expected: unknown,
): Promise<void> {
  for (const ask of asks) expect([ask, await tell(ask)]).toEqual([ask, expected])
}

/** Returns the status of a response, and the code of an error. */
export const told = ({
  status,
  json,
}: {
  readonly status: number
  readonly json: { error?: { code: string } }
}) => [status, json.error?.code]
