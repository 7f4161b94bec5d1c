/** @jsxImportSource preact */
import type { BuilderForm, FormPreview } from '@formwire/contract/control'
import { appUrl, call } from '../../api.ts'
import { link } from '../../router.ts'
import { act } from '../../ui/act.ts'
import { MenuButton } from '../../ui/menu.tsx'
import { contentOf } from './drafts.ts'
import { acceptsSamples } from './form-state.ts'

const commands = () => import('./form-commands.tsx')

/** Opens the page of the builder's questions, published or not, in a new tab. */
async function preview(form: BuilderForm): Promise<void> {
  const made = await act(() => call<FormPreview>('POST', 'previews', contentOf(form)))
  if (made) window.open(appUrl(made.path), '_blank', 'noopener')
}

/** The buttons that edit, preview, copy and try a form. */
export function BuilderActions({ form }: { form: BuilderForm }) {
  if (form.trashed) return null
  return (
    <>
      <a class="button small" href={link(['forms', form.id, 'edit'])}>
        Edit
      </a>
      {acceptsSamples(form) ? (
        <button
          type="button"
          class="button small"
          onClick={() => void act(async () => (await commands()).submitSample(form))}
        >
          Submit a sample response
        </button>
      ) : null}
      <MenuButton
        label="More of the form"
        items={() => [
          { text: 'Preview', run: () => void preview(form) },
          { text: 'Duplicate', run: () => void act(async () => (await commands()).duplicateForm(form)) },
        ]}
      />
    </>
  )
}

/** The button that creates a form. */
export function NewFormButton() {
  return (
    <button
      type="button"
      class="button primary"
      onClick={() => void act(async () => (await commands()).createForm())}
    >
      New form
    </button>
  )
}
