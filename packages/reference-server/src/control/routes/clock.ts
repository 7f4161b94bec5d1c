import type { ClockState } from '@formwire/contract/control'
import { InvalidSpanError, type Span } from '../../clock/index.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../domain/service-error.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Route } from '../../http/route.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { one, withBody } from './shared.ts'

/** Returns the mode and the current time of the clock. */
export const clockState = ({ clock, settings }: Context): ClockState => ({
  mode: clock.mode,
  now: formatTimestamp(clock.now(), settings.unspecified.timestamps),
})

/** Routes of the clock under `/_app`. */
export function clockControlRoutes(context: Context): Route[] {
  const view = (): ClockState => clockState(context)
  return [
    one('GET', '/_app/clock', view),
    withBody('POST', '/_app/clock/advance', () => async (body) => {
      refuseUnknownFields(body, ['by'])
      await advance(context, body.by)
      return view()
    }),
  ]
}

async function advance({ clock }: Context, by: unknown): Promise<void> {
  try {
    await clock.advance(by as Span)
  } catch (error) {
    if (error instanceof InvalidSpanError) throw invalid('by', error.message)
    throw error
  }
}
