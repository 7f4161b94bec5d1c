import { statusPen } from '../output/pens.ts'
import { grouped } from '../output/progress.ts'
import type { Field } from '../output/table.ts'
import { relativeTime } from '../output/time.ts'

/** Returns the time that times are relative to, once an item is printed: see `Context.now`. */
export type Now = () => number

/** Returns the field of a member. Without a value, it is `none` on a terminal and empty on a pipe. */
export function member<Name extends string>(
  name: Name,
  header: string,
  none = '',
): Field<Readonly<Record<Name, string | number | boolean | null>>> {
  return {
    name,
    header,
    text: (item) => String(item[name] ?? none),
    plain: (item) => String(item[name] ?? ''),
  }
}

/** Returns the field of a count, which has commas between thousands on a terminal. */
export function countMember<Name extends string>(
  name: Name,
  header: string,
  none = '',
): Field<Readonly<Record<Name, number | null>>> {
  return {
    ...member(name, header),
    text: ({ [name]: count }) => (count === null ? none : grouped(count)),
    align: 'right',
  }
}

/** Returns the column of a time: relative on a terminal, as in the API on a pipe. */
export function timeColumn<Name extends string>(
  name: Name,
  header: string,
  now: Now,
  none = '',
): Field<Readonly<Record<Name, string | null>>> {
  return {
    ...member(name, header),
    text: ({ [name]: time }) => (time === null ? none : relativeTime(time, now())),
  }
}

/** Returns the field of a time of one item: on a terminal relative and as in the API. */
export function timeField<Name extends string>(
  name: Name,
  header: string,
  now: Now,
  none = 'none',
): Field<Readonly<Record<Name, string | null>>> {
  return {
    ...member(name, header),
    text: ({ [name]: time }) => (time === null ? none : `${relativeTime(time, now())} (${time})`),
  }
}

/** The layouts of columns that live views share. */
export const LIVE = {
  time: { header: 'Time', width: 9 },
  form: { ...member('form_id', 'Form'), width: 12, shrinks: 7, drops: 2, dropsIfSame: 5 },
  took: { header: 'Duration', width: 8, align: 'right', drops: 4 },
  next: { header: 'Next', width: 9, align: 'right' },
  response: { header: 'Response', short: 'Resp', width: 8, shrinks: 5, align: 'right', drops: 1 },
} as const

/** The field of a status, in its colour. */
export const STATUS: Field<Readonly<{ status: string }>> = {
  ...member('status', 'Status'),
  pen: ({ status }) => statusPen(status),
}
