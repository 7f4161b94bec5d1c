import { usage } from '../failure.ts'
import type { ForwardTarget } from '../input/handler-url.ts'

/** The handlers of a run: one for every form, or one per form. */
export class Targets {
  readonly #default: string | undefined
  readonly #byForm = new Map<string, string>()
  /** Whether each form that is followed has a handler of its own. */
  readonly #isComplete: boolean

  /** @throws Failure exit 2 for two handlers of one form, or for a form that is not followed. `forms`: empty means any. */
  constructor(targets: readonly ForwardTarget[], forms: readonly string[] = []) {
    for (const { formId, url } of targets) {
      if (formId === undefined) {
        if (this.#default !== undefined)
          throw usage('--forward-to was given twice', 'for a handler per form, pass --forward-to FORM=URL')
        this.#default = url
        continue
      }
      if (forms.length > 0 && !forms.includes(formId))
        throw usage(`--forward-to names form ${formId}, which is not followed`, `add --form ${formId}`)
      if (this.#byForm.has(formId)) throw usage(`--forward-to was given twice for form ${formId}`)
      this.#byForm.set(formId, url)
    }
    this.#isComplete = forms.length > 0 && forms.every((formId) => this.#byForm.has(formId))
  }

  /** Returns the handler of a form; undefined if its deliveries are only shown. */
  of(formId: string | null): string | undefined {
    return (formId === null ? undefined : this.#byForm.get(formId)) ?? this.#default
  }

  /** Whether there is no handler at all. */
  get none(): boolean {
    return this.#default === undefined && this.#byForm.size === 0
  }

  /** Returns the handlers on one line, such as `http://localhost:3000/, FORM → http://localhost:4000/`. */
  describe(): string {
    const perForm = [...this.#byForm].map(([formId, url]) => `${formId} → ${url}`)
    const all = [...(this.#default === undefined ? [] : [this.#default]), ...perForm].join(', ')
    const hasOthers = this.#default === undefined && !this.#isComplete
    return hasOthers ? `${all}; deliveries of other forms are only shown` : all
  }
}
