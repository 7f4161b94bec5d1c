/** Where an error happened: what every error can say without giving anything away. */
export interface RequestFacts {
  /** HTTP method. */
  method?: string | undefined
  /** Path below `/api/v1`, with its query. Never the key: keys travel in a header only (AUTH-02). */
  path?: string | undefined
  /** Attempts made, the first included. */
  attempts?: number | undefined
}

/** Shared through the registry of symbols, so that two copies of the package recognise each other's errors. */
const KINDS = Symbol.for('@formwire/sdk/error-kinds')

/** Members of any error that a log line may show. */
const SHOWN =
  'method path attempts status code details requestId retryAfterMs contentType maybeSent systemCode timeoutMs scope drift'.split(
    ' ',
  )

interface ErrorClass {
  readonly kind: string
}

/**
 * Every error that the SDK throws. `instanceof` and the `is…Error()` guards also hold across two copies of the package
 * (ESM beside CommonJS, two versions in one tree).
 *
 * Errors name method, path, status, code, details, request id and attempts; the key, secrets and bodies are never in them.
 */
export class FormwireError extends Error {
  static readonly kind: string = 'FormwireError'

  /** HTTP method of the failed request, when there was one. */
  declare readonly method: string | undefined
  /** Path below `/api/v1` of the failed request, when there was one. */
  declare readonly path: string | undefined
  /** Attempts made, the first included; 0 when nothing was sent. */
  declare readonly attempts: number

  /** @param facts become the error's members; a class declares which ones it has. */
  constructor(message: string, facts: RequestFacts = {}, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : options)
    Object.defineProperty(this, 'name', { value: new.target.kind, configurable: true, writable: true })
    Object.defineProperty(this, KINDS, { value: kindsOf(new.target) })
    const { method, path, attempts = 0 } = facts
    Object.assign(this, facts, { method, path, attempts })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: `this` is the class that `instanceof` names.
    // A class that a user derives has no kind of its own: the prototype chain decides, as usual.
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value)
    return hasKind(value, this.kind)
    // biome-ignore-end lint/complexity/noThisInStatic: as above.
  }

  /** What is safe to log: an allow-list, so that a member added later stays out until someone decides. */
  toJSON(): Record<string, unknown> {
    const shown: Record<string, unknown> = { name: this.name, message: this.message }
    for (const member of SHOWN) if (member in this) shown[member] = this[member as keyof this]
    return shown
  }
}

function kindsOf(leaf: unknown): string[] {
  const kinds: string[] = []
  for (
    let level = leaf;
    typeof level === 'function' && 'kind' in level;
    level = Object.getPrototypeOf(level)
  ) {
    if (Object.hasOwn(level, 'kind')) kinds.push((level as unknown as ErrorClass).kind)
  }
  return kinds
}

/** Whether a value is an error of this kind, from any copy of the package. */
export function hasKind(value: unknown, kind: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const kinds = (value as Record<symbol, unknown>)[KINDS]
  return Array.isArray(kinds) && kinds.includes(kind)
}

/** Whether a value is any error of the SDK, from any copy of the package. */
export function isFormwireError(value: unknown): value is FormwireError {
  return hasKind(value, FormwireError.kind)
}
