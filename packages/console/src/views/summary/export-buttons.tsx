/** @jsxImportSource preact */
import type { BuilderForm } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { download } from '../../download.ts'
import { act } from '../../ui/act.ts'

const FORMATS = [
  ['csv', 'Export CSV'],
  ['json', 'Export JSON'],
] as const

/** Buttons that download all responses, or all drafts, of a form. */
export function ExportButtons({
  form,
  status = 'submitted',
}: {
  form: Pick<BuilderForm, 'id' | 'slug'>
  status?: 'submitted' | 'in_progress'
}) {
  const [busy, setBusy] = useState<string | undefined>(undefined)
  const run = async (format: string): Promise<void> => {
    setBusy(format)
    const path = `forms/${encodeURIComponent(form.id)}/export?format=${format}&status=${status}`
    const name = `${form.slug}${status === 'submitted' ? '' : '-drafts'}.${format}`
    await act(() => download(path, name), `Downloaded ${name}`)
    setBusy(undefined)
  }
  return (
    <div class="actions">
      {FORMATS.map(([format, text]) => (
        <button
          key={format}
          type="button"
          class="button"
          aria-disabled={busy !== undefined}
          onClick={() => {
            if (busy === undefined) void run(format)
          }}
        >
          {busy === format ? 'Exporting…' : text}
        </button>
      ))}
    </div>
  )
}
