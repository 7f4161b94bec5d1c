import type { Form } from '@formwire/contract'
import type { Column, Field } from '../output/table.ts'
import { countMember, member, type Now, STATUS, timeColumn, timeField } from './members.ts'

/** The members of a form, in the order of a CSV. */
export const FORM_FIELDS = [
  'id',
  'title',
  'status',
  'slug',
  'url',
  'published',
  'response_count',
  'response_limit',
  'opens_at',
  'closes_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Form)[]

/** Columns of a list of forms. */
export function formColumns(now: Now): readonly Column<Form>[] {
  return [
    member('id', 'Id'),
    { ...member('title', 'Title'), shrinks: 'apart' },
    STATUS,
    countMember('response_count', 'Responses'),
    { ...timeColumn('updated_at', 'Updated', now), drops: 3, dropsIfSame: 5 },
  ]
}

/** Fields of one form. */
export function formFields(now: Now): readonly Field<Form>[] {
  return [
    member('id', 'Id'),
    member('title', 'Title'),
    STATUS,
    {
      ...member('url', 'Public link'),
      text: ({ status, url }) => (status === 'draft' ? `${url} (not published)` : url),
    },
    member('slug', 'Slug'),
    { ...member('published', 'Published'), text: ({ published }) => (published ? 'yes' : 'no') },
    countMember('response_count', 'Responses'),
    countMember('response_limit', 'Limit', 'none'),
    timeField('opens_at', 'Opens', now),
    timeField('closes_at', 'Closes', now),
    timeField('created_at', 'Created', now),
    timeField('updated_at', 'Updated', now),
  ]
}
