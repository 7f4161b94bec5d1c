import type { FormPreview } from '@formwire/contract/control'
import { notFound } from '../domain/service-error.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { randomText, systemRandom } from '../random.ts'
import { type FormContent, readFormContent } from '../services/forms.ts'

/** Previews that are kept: the newest. A few are open at a time, and each is at most a request body. */
const KEPT_MAX = 50
const TOKEN_LENGTH = 24

/** Returns the page of a title and questions. */
export type RenderPreview = (content: FormContent, options: PreviewOptions) => Promise<OutgoingMessage>

/** How a preview is shown. */
export interface PreviewOptions {
  /** Whether to leave out the script, for a frame that runs none. All questions are then shown. */
  readonly isStatic: boolean
}

/** Pages that show the questions of a builder as the public form would. They are not part of the state. */
export class Previews {
  readonly #render: RenderPreview
  readonly #kept = new Map<string, FormContent>()

  constructor(render: RenderPreview) {
    this.#render = render
  }

  /** Throws 422 for a title or questions that the builder would refuse. */
  create(input: Readonly<Record<string, unknown>>): FormPreview {
    const content = readFormContent(input)
    // Not from the random source of the state, which gives repeatable ids.
    const token = randomText(systemRandom, TOKEN_LENGTH)
    this.#kept.set(token, content)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    return { path: `previews/${token}` }
  }

  /** Returns the page of a preview. Rejects with 404 for one that is unknown or was dropped. */
  async page(token: string, options: PreviewOptions): Promise<OutgoingMessage> {
    const content = this.#kept.get(token)
    if (!content) throw notFound()
    return this.#render(content, options)
  }
}
