import type { FormPreview } from '@formwire/contract/control'
import { orNotFound } from '../domain/service-error.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { randomText, systemRandom } from '../random.ts'
import { type FormContent, readFormContent } from '../services/forms.ts'

/** Previews that are kept: the newest. A few are open at a time, and each is at most a request body. */
const KEPT_MAX = 50
const TOKEN_LENGTH = 24

/** Renders the page of a preview: the public form, which the control API does not know. */
export type RenderPreview = (content: FormContent, preview: 'page' | 'static') => OutgoingMessage

/**
 * Pages that show the content of a builder as the public form would. They are not part of the state.
 *
 * @param load Loads the renderer, for the first page.
 */
export function createPreviews(load: () => Promise<RenderPreview>) {
  const kept = new Map<string, FormContent>()
  return {
    /** Throws 422 for a title, questions or a language that the builder would refuse. */
    create(input: Readonly<Record<string, unknown>>): FormPreview {
      const content = readFormContent(input)
      // Not from the random source of the state, which gives repeatable ids.
      const token = randomText(systemRandom, TOKEN_LENGTH)
      kept.set(token, content)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      return { path: `previews/${token}` }
    },
    /** Returns the page of a preview. Rejects with 404 for one that is unknown or was dropped. */
    page: async (token: string, preview: 'page' | 'static'): Promise<OutgoingMessage> =>
      (await load())(orNotFound(kept.get(token)), preview),
  }
}
