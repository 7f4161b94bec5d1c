import { isObjectOrArray } from './json.ts'

/**
 * Makes `instanceof` recognize the errors of a class, and of its subclasses, from any copy of a package: a process may load the ESM and the
 * CommonJS build side by side. A class of a user that extends it is checked as usual.
 * @param name unique among the classes of the package.
 */
export function recognizeCopies(errorClass: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`@formwire/error.${name}`)
  Object.defineProperty(errorClass.prototype, brand, { value: true })
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this as () => void, value)
      return isObjectOrArray(value) && brand in value
    },
  })
}

/** Returns what JSON shows of an error: its message, which `JSON.stringify` would leave out, and its own members, but not its cause. */
export const errorJson = (error: Error): Record<string, unknown> => ({
  name: error.name,
  message: error.message,
  ...(error as object),
})
