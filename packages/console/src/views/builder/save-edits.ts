import type { BuilderForm } from '@formwire/contract/control'
import { CallError, call, formPath, get } from '../../api.ts'
import { confirmed } from '../../ui/dialog.tsx'
import { changesOf, contentOf, type Draft, same } from './drafts.ts'

/** How often edits are made to a form that changes each time before they are saved. */
const TRIES_MAX = 5

/**
 * Saves edits. Only the parts that were edited are sent, so that what was changed elsewhere since stays. It asks before a part is
 * replaced that was changed elsewhere, too. Resolves with `undefined` if that was declined.
 *
 * @throws CallError
 */
export async function saveEdits({ base, edited }: Draft): Promise<BuilderForm | undefined> {
  const path = formPath(base.id)
  const mine = changesOf(base, edited)
  let latest = base
  for (let tries = 1; ; tries += 1) {
    try {
      return await call('PATCH', path, { ...mine, revision: latest.revision })
    } catch (cause) {
      if (!(cause instanceof CallError) || cause.status !== 409 || tries === TRIES_MAX) throw cause
    }
    const newer = await get<BuilderForm>(path)
    const theirs = changesOf(contentOf(latest), contentOf(newer))
    const clashes = Object.entries(theirs).filter(
      ([part, value]) => part in mine && !same(value, mine[part as keyof typeof mine]),
    )
    const parts = clashes.map(([part]) => part).join(' and ')
    const sure =
      parts === '' ||
      (await confirmed({
        title: 'Changed elsewhere, too',
        text: `Someone changed the ${parts} of the form while you edited it. Saving replaces that with your version.`,
        action: 'Save my version',
      }))
    if (!sure) return undefined
    latest = newer
  }
}
