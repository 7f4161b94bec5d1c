import type { Form } from '@formwire/contract'
import type { Settings } from '../settings.ts'
import type { FormRecord } from './form.ts'
import { statusAt } from './form-status.ts'
import { formatTimestamp } from './instant.ts'

/** Creates a function that returns a form at an instant as JSON. The text is cached until the record, its status or the public URL changes. */
export function createFormWriter(settings: Settings): (form: FormRecord, now: number) => string {
  let written = new WeakMap<FormRecord, { status: string; json: string }>()
  let publicUrl = settings.publicUrl
  return (form, now) => {
    if (publicUrl !== settings.publicUrl) {
      publicUrl = settings.publicUrl
      written = new WeakMap()
    }
    const status = statusAt(form, now, settings.unspecified)
    const kept = written.get(form)
    if (kept?.status === status) return kept.json
    const json = JSON.stringify(formWire(form, now, settings))
    written.set(form, { status, json })
    return json
  }
}

/** Returns a form as the API shows it at an instant (FORM-04). */
export function formWire(form: FormRecord, now: number, settings: Settings): Form {
  const { timestamps, publishedWhenClosed } = settings.unspecified
  const status = statusAt(form, now, settings.unspecified)
  const orNull = (instant: number | null): string | null =>
    instant === null ? null : formatTimestamp(instant, timestamps)
  return {
    id: form.id,
    title: form.title,
    status,
    slug: form.slug,
    url: `${settings.publicUrl}/f/${form.slug}`,
    published: status === 'published' || (status === 'closed' && publishedWhenClosed === 'true'),
    response_count: form.responseCount,
    response_limit: form.responseLimit,
    opens_at: orNull(form.opensAt),
    closes_at: orNull(form.closesAt),
    created_at: formatTimestamp(form.createdAt, timestamps),
    updated_at: formatTimestamp(form.updatedAt, timestamps),
  }
}
