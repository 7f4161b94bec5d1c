import type { BuilderForm } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { download, formPath } from '../../api.ts'
import { act } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'

/** Buttons that download all responses of a form. */
export function ExportButtons({ form }: { form: Pick<BuilderForm, 'id' | 'slug'> }) {
  const [busy, setBusy] = useState<string | undefined>(undefined)
  const run = async (format: string): Promise<void> => {
    setBusy(format)
    const name = `${form.slug}.${format}`
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
