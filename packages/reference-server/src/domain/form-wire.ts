import type { Form } from '@formwire/contract'
import type { Settings } from '../settings.ts'
import type { FormRecord } from './form.ts'
import { formatTimestamp } from './timestamp.ts'

/** Writes forms as JSON, each version once: a form's text is kept as long as its record and the public url stay. */
export type FormWriter = (form: FormRecord) => string

/** A writer for one server. */
export function createFormWriter(settings: Settings): FormWriter {
  let written = new WeakMap<FormRecord, string>()
  let publicUrl = settings.publicUrl
  return (form) => {
    if (publicUrl !== settings.publicUrl) {
      publicUrl = settings.publicUrl
      written = new WeakMap()
    }
    let json = written.get(form)
    if (json === undefined) {
      json = JSON.stringify(formWire(form, settings))
      written.set(form, json)
    }
    return json
  }
}

/** A form as the API shows it (FORM-04). */
export function formWire(form: FormRecord, settings: Settings): Form {
  const { timestamps, publishedWhenClosed } = settings.unspecified
  const orNull = (instant: number | null): string | null =>
    instant === null ? null : formatTimestamp(instant, timestamps)
  return {
    id: form.id,
    title: form.title,
    status: form.status,
    slug: form.slug,
    url: `${settings.publicUrl}/f/${form.slug}`,
    published: form.status === 'published' || (form.status === 'closed' && publishedWhenClosed === 'true'),
    response_count: form.responseCount,
    response_limit: form.responseLimit,
    opens_at: orNull(form.opensAt),
    closes_at: orNull(form.closesAt),
    created_at: formatTimestamp(form.createdAt, timestamps),
    updated_at: formatTimestamp(form.updatedAt, timestamps),
  }
}
