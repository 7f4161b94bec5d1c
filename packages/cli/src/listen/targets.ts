import { usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'

/** A parsed `--forward-to`: a URL for one form, or for every form. */
export interface Target {
  formId: string | undefined
  url: string
}

const FORM_AND_URL = /^([\w-]+)=(.+)$/s
const PORT = /^:?(\d{1,5})(\/.*)?$/s
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i

/**
 * Parses `--forward-to`: a URL, `localhost:3000`, a port, or any of these after `FORM=`. @throws Failure exit 2
 */
export function parseTarget(text: string): Target {
  const [, formId, rest] = FORM_AND_URL.exec(text) ?? []
  return { formId, url: handlerUrl(rest ?? text) }
}

/**
 * Returns the URL of a handler: `3000` is `http://localhost:3000/`, `localhost:3000/hook` is `http://localhost:3000/hook`.
 * @throws Failure exit 2
 */
export function handlerUrl(text: string): string {
  const [, port, path] = PORT.exec(text) ?? []
  const candidate =
    port === undefined
      ? SCHEME.test(text)
        ? text
        : `http://${text}`
      : `http://localhost:${port}${path ?? '/'}`
  try {
    const { protocol, hostname, port: parsedPort } = new URL(candidate)
    if ((protocol === 'http:' || protocol === 'https:') && hostname !== '' && parsedPort !== '0')
      return candidate
  } catch {
    // Reported below.
  }
  throw usage(
    `--forward-to must be a URL, a host with a port, or a port, got "${safeLine(text)}"`,
    'for example http://127.0.0.1:3000/hook, localhost:3000 or 3000; FORM=URL forwards one form',
  )
}

/** The handlers of a run: one for every form, or one per form. */
export class Targets {
  readonly #default: string | undefined
  readonly #byForm = new Map<string, string>()

  /** @throws Failure exit 2 for two handlers of one form, or for a form that is not followed. `forms`: empty means any. */
  constructor(targets: readonly Target[], forms: readonly string[] = []) {
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
    return [...(this.#default === undefined ? [] : [this.#default]), ...perForm].join(', ')
  }
}
