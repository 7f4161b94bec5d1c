import type { ErrorCode, ErrorDetails, OpenEnum } from '@formwire/contract'
import { helpUrlOf } from '@formwire/internal/help-page'
import { isObjectOrArray } from '@formwire/internal/json'

/** Request that an error belongs to. Safe to log. */
export interface RequestFacts {
  /** HTTP method. */
  method?: string | undefined
  /** Path below `/api/v1`, with its query. Never contains the key, which is sent in a header only (AUTH-02). */
  path?: string | undefined
  /** Attempts made, including the first. */
  attempts?: number | undefined
}

/** Content of an HTTP error response. */
export interface ApiErrorFacts extends RequestFacts {
  status: number
  code: OpenEnum<ErrorCode>
  /** Message of the service, or a replacement if there is none. */
  reason: string
  details?: ErrorDetails | undefined
  requestId?: string | undefined
  headers: Headers
  /** Whether the body was the error envelope of the service (ENV-03). `false` for an HTML page of a proxy or an empty body. */
  envelope: boolean
}

/** A registered symbol, so that duplicate copies of the package recognize each other's errors. */
const KINDS = Symbol.for('@formwire/sdk/error-kinds')

/** Properties of errors that are safe to log. */
const SHOWN =
  'method path attempts status code details requestId retryAfterMs contentType maybeSent systemCode timeoutMs scope drift'.split(
    ' ',
  )

interface ErrorClass {
  readonly kind: string
}

/**
 * Base class of all errors of the SDK. `instanceof` and the `is…Error()` guards work across duplicate copies of the package (ESM
 * and CommonJS, two versions in one dependency tree).
 *
 * Errors contain method, path, status, code, details, request id and attempts, but never the key, a secret or a body.
 *
 * @example
 * try {
 *   await formwire.forms.close(id)
 * } catch (error) {
 *   if (error instanceof FormwireError) logger.error(error.toJSON())
 *   throw error
 * }
 */
export class FormwireError<Facts extends RequestFacts = RequestFacts> extends Error {
  static readonly kind: string = 'FormwireError'

  /** HTTP method of the failed request, if there was one. */
  declare readonly method: string | undefined
  /** Path below `/api/v1` of the failed request, if there was one. */
  declare readonly path: string | undefined
  /** Attempts made, including the first; 0 if nothing was sent. */
  declare readonly attempts: number

  /** @param facts become properties of the error, if they have a value. Each class declares its properties. */
  constructor(message: string, facts?: Facts, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : options)
    Object.defineProperties(this, {
      name: { value: new.target.kind, configurable: true, writable: true },
      [KINDS]: { value: kindsOf(new.target) },
    })
    const entries = Object.entries({ ...facts, attempts: facts?.attempts ?? 0 })
    Object.assign(this, Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: `this` is the class that `instanceof` names.
    // A user-defined subclass has no own `kind`: check the prototype chain, as usual.
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value)
    return hasKind(value, this.kind)
    // biome-ignore-end lint/complexity/noThisInStatic: as above.
  }

  /** URL of the page that explains this class of errors, for a log or a message to a developer. */
  get helpUrl(): string {
    return helpUrlOf((this.constructor as typeof FormwireError).kind)
  }

  /** Returns the properties that are safe to log, from an allow-list. */
  toJSON(): Record<string, unknown> {
    const shown: Record<string, unknown> = { name: this.name, message: this.message }
    for (const member of SHOWN) if (member in this) shown[member] = this[member as keyof this]
    return shown
  }
}

/** Returns the kinds of a class and of its base classes. */
function kindsOf(leaf: ErrorClass): string[] {
  const kinds: string[] = []
  for (let level: Partial<ErrorClass> = leaf; level.kind; level = Object.getPrototypeOf(level)) {
    kinds.push(level.kind)
  }
  return kinds
}

/** Whether a value is an error of this kind, from any copy of the package. Includes subclasses. */
function hasKind(value: unknown, kind: string): boolean {
  const kinds = isObjectOrArray(value) && (value as Record<symbol, unknown>)[KINDS]
  return Array.isArray(kinds) && kinds.includes(kind)
}

/** Returns a guard that checks whether a value is an error of the class, from any copy of the package. Includes subclasses. */
export const guardOf =
  <Guarded extends FormwireError>(guarded: ErrorClass & { prototype: Guarded }) =>
  (value: unknown): value is Guarded =>
    hasKind(value, guarded.kind)

/** Whether a value is any error of the SDK, from any copy of the package. @function */
export const isFormwireError = /* @__PURE__ */ guardOf<FormwireError>(FormwireError)
