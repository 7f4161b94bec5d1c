import { LIMITS, type Timestamp } from '@formwire/contract'
import { InvalidSpanError, type Span } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { item } from '../../http/answers.ts'
import { readJsonObject } from '../../http/body.ts'
import { invalid } from '../../http/errors.ts'
import type { Route } from '../../http/route.ts'

/** What time it is for the server. */
interface ClockView {
  mode: 'real' | 'manual'
  now: Timestamp
}

/** The server's clock under `/_app`. */
export function clockControlRoutes(context: Context): Route[] {
  const view = (): ClockView => ({
    mode: context.clock.mode,
    now: formatTimestamp(context.clock.now(), context.settings.unspecified.timestamps),
  })
  return [
    { method: 'GET', pattern: '/_app/clock', run: () => item(view()) },
    {
      method: 'POST',
      pattern: '/_app/clock/advance',
      run: async ({ request }) => {
        const { by } = await readJsonObject(request, LIMITS.bodyMaxBytes)
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
