import { usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'

/** A parsed `--forward-to`: a URL for one form, or for every form. */
export interface ForwardTarget {
  formId: string | undefined
  url: string
}

const FORM_AND_URL = /^([\w-]+)=(.*)$/s
const PORT = /^:?(\d{1,5})(\/.*)?$/s
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i

/**
 * Parses `--forward-to`: a URL, `localhost:3000`, a port, or any of these after `FORM=`. @throws Failure exit 2
 */
export function parseForwardTarget(text: string): ForwardTarget {
  const [, formId, rest] = FORM_AND_URL.exec(text) ?? []
  return { formId, url: handlerUrl(rest ?? text, { given: text, more: '; FORM=URL forwards one form' }) }
}

/**
 * Returns the URL of a handler: `3000` is `http://localhost:3000/`, `localhost:3000/hook` is `http://localhost:3000/hook`.
 * @throws Failure exit 2
 */
export function handlerUrl(text: string, { name = '--forward-to', given = text, more = '' } = {}): string {
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
    `${name} must be a URL, a host with a port, or a port, got "${safeLine(given)}"`,
    `for example http://127.0.0.1:3000/hook, localhost:3000 or 3000${more}`,
  )
}
