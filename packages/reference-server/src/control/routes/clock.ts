import { LIMITS } from '@formwire/contract'
import type { ClockState } from '@formwire/contract/control'
import { InvalidSpanError, type Span } from '../../clock/index.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../domain/service-error.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { readJsonObject } from '../../http/body.ts'
import { item } from '../../http/json-response.ts'
import type { Route } from '../../http/route.ts'
import { refuseUnknownFields } from '../../services/input.ts'

/** Returns the mode and the current time of the clock. */
export const clockState = ({ clock, settings }: Context): ClockState => ({
  mode: clock.mode,
  now: formatTimestamp(clock.now(), settings.unspecified.timestamps),
})

/** Routes of the clock under `/_app`. */
export function clockControlRoutes(context: Context): Route[] {
  const view = (): ClockState => clockState(context)
  return [
    { method: 'GET', pattern: '/_app/clock', run: () => item(view()) },
    {
      method: 'POST',
      pattern: '/_app/clock/advance',
      run: async ({ request }) => {
        const body = await readJsonObject(request, LIMITS.bodyMaxBytes)
        refuseUnknownFields(body, ['by'])
        const { by } = body
        await advance(context, by)
        return item(view())
      },
    },
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
