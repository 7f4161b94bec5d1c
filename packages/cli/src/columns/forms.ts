import type { Form } from '@formwire/contract'
import { statusPen } from '../output/colour.ts'
import type { Field } from '../output/output.ts'
import type { Column } from '../output/table.ts'
import { relativeTime } from '../output/time.ts'

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
export function formColumns(now: number): readonly Column<Form>[] {
  return [
    { name: 'id', header: 'Id', text: (form) => form.id },
    { name: 'title', header: 'Title', text: (form) => form.title, shrinks: true },
    { name: 'status', header: 'Status', text: (form) => form.status, pen: (form) => statusPen(form.status) },
    {
      name: 'response_count',
      header: 'Responses',
      text: (form) => String(form.response_count),
      align: 'right',
    },
    {
      name: 'updated_at',
      header: 'Updated',
      text: (form) => relativeTime(form.updated_at, now),
      plain: (form) => form.updated_at,
    },
  ]
}

/** Fields of one form. */
export function formFields(now: number): readonly Field<Form>[] {
  const time = (
    name: 'opens_at' | 'closes_at' | 'created_at' | 'updated_at',
    label: string,
  ): Field<Form> => ({
    name,
    label,
    text: (form) => (form[name] === null ? 'none' : `${relativeTime(form[name], now)} (${form[name]})`),
    plain: (form) => form[name] ?? '',
  })
  return [
    { name: 'id', label: 'Id', text: (form) => form.id },
    { name: 'title', label: 'Title', text: (form) => form.title },
    { name: 'status', label: 'Status', text: (form) => form.status, pen: (form) => statusPen(form.status) },
    {
      name: 'url',
      label: 'Public link',
      text: (form) => (form.status === 'draft' ? `${form.url} (not published)` : form.url),
      plain: (form) => form.url,
    },
    { name: 'slug', label: 'Slug', text: (form) => form.slug },
    {
      name: 'published',
      label: 'Published',
      text: (form) => (form.published ? 'yes' : 'no'),
      plain: (form) => String(form.published),
    },
    { name: 'response_count', label: 'Responses', text: (form) => String(form.response_count) },
    {
      name: 'response_limit',
      label: 'Limit',
      text: (form) => String(form.response_limit ?? 'none'),
      plain: (form) => String(form.response_limit ?? ''),
    },
    time('opens_at', 'Opens'),
    time('closes_at', 'Closes'),
    time('created_at', 'Created'),
    time('updated_at', 'Updated'),
  ]
}
