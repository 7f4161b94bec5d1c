import { APPEARANCE_LIMITS } from '@formwire/contract'
import type { FormAppearance } from '@formwire/contract/control'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'

const DEFAULT_ACCENT = '#3b49cf'

/** Reads an image as a data URL. */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** The intro, the language, the colour and the logo of a form. The server validates them with the questions. */
export function AppearanceFields({
  appearance: { intro, language, logo, accent },
  onChange,
}: {
  appearance: Readonly<FormAppearance>
  onChange: (changes: Partial<FormAppearance>) => void
}) {
  const takeLogo = async (file: File): Promise<void> => {
    if (file.size > APPEARANCE_LIMITS.logoMaxBytes) {
      announce(`The logo must be at most ${APPEARANCE_LIMITS.logoMaxBytes / 1_024} KiB.`, 'error')
      return
    }
    onChange({ logo: await dataUrlOf(file) })
  }
  return (
    <details class="appearance">
      <summary>Appearance</summary>
      <label class="field">
        Intro (shown below the title)
        <textarea
          rows={3}
          value={intro ?? ''}
          onInput={({ currentTarget: { value } }) => onChange({ intro: value === '' ? null : value })}
        />
      </label>
      <div class="row">
        <label class="field">
          Language (for example, pt-BR)
          <input
            value={language ?? ''}
            size={8}
            spellcheck={false}
            onInput={({ currentTarget: { value } }) =>
              onChange({ language: value.trim() === '' ? null : value.trim() })
            }
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={accent !== null}
            onChange={(event) => onChange({ accent: event.currentTarget.checked ? DEFAULT_ACCENT : null })}
          />
          Accent colour
        </label>
        {accent === null ? null : (
          <label class="field">
            <span class="off-screen">Accent colour of the form</span>
            <input
              type="color"
              value={accent}
              onInput={(event) => onChange({ accent: event.currentTarget.value })}
            />
          </label>
        )}
        <label class="field">
          Logo
          <input
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              if (file) void takeLogo(file)
            }}
          />
        </label>
        {logo === null ? null : (
          <Button class="button small" run={() => onChange({ logo: null })}>
            Remove logo
          </Button>
        )}
      </div>
    </details>
  )
}
