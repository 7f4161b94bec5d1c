import type { FormPreview } from '@formwire/contract/control'
import { notFound } from '../domain/service-error.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { randomText, systemRandom } from '../random.ts'
import { type FormContent, readFormContent } from '../services/forms.ts'

/** Previews that are kept: the newest. A few are open at a time, and each is at most a request body. */
const KEPT_MAX = 50
const TOKEN_LENGTH = 24

/** How a preview is shown. */
export interface PreviewView {
  /** Path of the page, below which its files are. */
  readonly path: string
  /** Whether to leave out the script, for a frame that runs none. All questions are then shown. */
  readonly isStatic: boolean
}

/** Renders previews: the public form, which the control API does not know. */
export interface PreviewRenderer {
  page(content: FormContent, view: PreviewView): OutgoingMessage
  /** Returns a file of the page, or `undefined`. */
  file(content: FormContent, name: string): OutgoingMessage | undefined
}

/**
 * Pages that show the content of a builder as the public form would. They are not part of the state.
 *
 * @param load Loads the renderer, for the first page.
 */
export function createPreviews(load: () => Promise<PreviewRenderer>) {
  const kept = new Map<string, FormContent>()
  const find = (token: string): FormContent => {
    const content = kept.get(token)
    if (!content) throw notFound()
    return content
  }
  return {
    /** Throws 422 for a title, questions or an appearance that the builder would refuse. */
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
    page: async (token: string, view: PreviewView): Promise<OutgoingMessage> =>
      (await load()).page(find(token), view),
    /** Returns a file of the page of a preview. Rejects with 404 if there is none. */
    async file(token: string, name: string): Promise<OutgoingMessage> {
      const file = (await load()).file(find(token), name)
      if (!file) throw notFound()
      return file
    },
  }
}
