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

/** Pages that show the content of a builder as the public form would. They are not part of the state. */
export class Previews {
  readonly #load: () => Promise<PreviewRenderer>
  readonly #kept = new Map<string, FormContent>()

  /** @param load Loads the renderer, for the first page. */
  constructor(load: () => Promise<PreviewRenderer>) {
    this.#load = load
  }

  /** Throws 422 for a title, questions or an appearance that the builder would refuse. */
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
  async page(token: string, view: PreviewView): Promise<OutgoingMessage> {
    return (await this.#load()).page(this.#find(token), view)
  }

  /** Returns a file of the page of a preview. Rejects with 404 if there is none. */
  async file(token: string, name: string): Promise<OutgoingMessage> {
    const file = (await this.#load()).file(this.#find(token), name)
    if (!file) throw notFound()
    return file
  }

  #find(token: string): FormContent {
    const content = this.#kept.get(token)
    if (!content) throw notFound()
    return content
  }
}
