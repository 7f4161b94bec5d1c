import type * as z from 'zod'

/** A type without its index signatures and without `undefined` in optional members, at every depth. */
type Named<Value> = Value extends readonly (infer Item)[]
  ? Named<Item>[]
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends object
      ? { [Key in keyof Value as string extends Key ? never : Key]: Named<Exclude<Value[Key], undefined>> }
      : Value

/** Both types are assignable to each other and have the same fields. */
export type Agree<Schema extends z.ZodType, Wire> = [
  Named<z.output<Schema>> extends Named<Wire>
    ? true
    : 'the output of the schema is not assignable to the type',
  Named<Wire> extends Named<z.output<Schema>>
    ? true
    : 'the type is not assignable to the output of the schema',
  keyof Named<z.output<Schema>> extends keyof Named<Wire> ? true : 'the schema has an additional field',
  keyof Named<Wire> extends keyof Named<z.output<Schema>> ? true : 'the type has an additional field',
]
/** The result of `Agree` for types that do. */
export type Yes = [true, true, true, true]
