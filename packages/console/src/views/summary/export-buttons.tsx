import type { BuilderForm } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { download, formPath } from '../../api.ts'
import { serverNow } from '../../state/clock.ts'
import { act } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { plainOf } from '../builder/model.ts'

/** Returns `guest-feedback-e0rDGMe8-2026-11-23.csv`, with the date of the server's clock once that has been read. */
function fileName({ slug, title }: { slug: string; title: string }, format: string): string {
  const plain = plainOf(Array.from(title).slice(0, 60).join(''), /[^\p{L}\p{N}]+/u, '-')
  const now = serverNow.peek()
  const today = now === undefined ? '' : new Date(now).toISOString().slice(0, 10)
  const parts = [plain, plain.includes(slug.toLowerCase()) ? '' : slug, today]
  return `${parts.filter(Boolean).join('-')}.${format}`
}

/** Buttons that download all responses of a form. */
export function ExportButtons({ form }: { form: Pick<BuilderForm, 'id' | 'slug' | 'title'> }) {
  const [busy, setBusy] = useState<string | undefined>(undefined)
  const run = async (format: string): Promise<void> => {
    setBusy(format)
    const name = fileName(form, format)
    const path = `${formPath(form.id)}/export?format=${format}&status=submitted`
    await act(() => download(path, name), `Downloaded ${name}`)
    setBusy(undefined)
  }
  return (
    <div class="row">
      {['csv', 'json'].map((format) => (
        <Button key={format} isOff={busy !== undefined} run={() => run(format)}>
          {busy === format ? 'Exporting…' : `Export ${format.toUpperCase()}`}
        </Button>
      ))}
    </div>
  )
}
