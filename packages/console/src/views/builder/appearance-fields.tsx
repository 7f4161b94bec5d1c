import { APPEARANCE_LIMITS } from '@formwire/contract'
import type { FormAppearance } from '@formwire/contract/control'
import { announce } from '../../ui/announcer.tsx'
import { Button, Field } from '../../ui/controls.tsx'

const DEFAULT_ACCENT = '#3b49cf'

/** The intro, the language, the colour and the logo of a form. The server validates them with the questions. */
export function AppearanceFields({
  appearance: { intro, language, logo, accent },
  onChange,
}: {
  appearance: Readonly<FormAppearance>
  onChange: (changes: Partial<FormAppearance>) => void
}) {
  const takeLogo = (file: File): void => {
    if (file.size > APPEARANCE_LIMITS.logoMaxBytes)
      return void announce(`The logo must be at most ${APPEARANCE_LIMITS.logoMaxBytes / 1_024} KiB.`, 'error')
    const reader = new FileReader()
    reader.onload = () => onChange({ logo: String(reader.result) })
    reader.onerror = () => announce('The logo could not be read.', 'error')
    reader.readAsDataURL(file)
  }
  return (
    <details class="appearance">
      <summary>Appearance</summary>
      <label class="field">
        Intro (shown below the title)
        <textarea
          rows={3}
          value={intro ?? ''}
          onInput={({ currentTarget: { value } }) => onChange({ intro: value || null })}
        />
      </label>
      <div class="row">
        <Field
          label="Language (for example, pt-BR)"
          value={language ?? ''}
          size={8}
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => onChange({ language: value.trim() || null })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={accent !== null}
            onChange={(event) => onChange({ accent: event.currentTarget.checked ? DEFAULT_ACCENT : null })}
          />
          Accent colour
        </label>
        {accent === null ? null : (
          <input
            type="color"
            aria-label="Accent colour of the form"
            value={accent}
            onInput={(event) => onChange({ accent: event.currentTarget.value })}
          />
        )}
        <Field
          label="Logo"
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={({ currentTarget: { files } }) => files?.[0] && takeLogo(files[0])}
        />
        {logo === null ? null : (
          <Button class="button small" run={() => onChange({ logo: null })}>
            Remove logo
          </Button>
        )}
      </div>
    </details>
  )
}
