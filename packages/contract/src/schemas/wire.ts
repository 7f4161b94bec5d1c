import type * as z from 'zod/v4'

/** What a schema accepts, without unknown members. `Absent`: what an optional member may be besides left out. */
export type Wire<Schema extends z.ZodType, Absent = never> = Named<z.output<Schema>, Absent>

/** A type without its index signatures, but for records, and without `undefined` in optional members, at every depth. */
type Named<Value, Absent> = Value extends readonly (infer Item)[]
  ? Named<Item, Absent>[]
  : Value extends object
    ? [keyof Known<Value>] extends [never]
      ? Value
      : {
          [Key in keyof Known<Value>]:
            | Named<Exclude<Value[Key], undefined>, Absent>
            | Extract<Absent, Value[Key]>
        }
    : Value

type Known<Value> = { [Key in keyof Value as string extends Key ? never : Key]: Value[Key] }
