import type { BuilderForm, FormPreview } from '@formwire/contract/control'
import { appUrl, call } from '../../api.ts'
import { link } from '../../router.ts'
import { act } from '../../ui/act.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { contentOf } from './drafts.ts'
import { acceptsSamples } from './form-state.ts'

const commands = () => import('../lazy-parts.ts')

/** Opens the page of the builder's questions, published or not, in a new tab. */
async function preview(form: BuilderForm): Promise<void> {
  const made = await act(() => call<FormPreview>('POST', 'previews', contentOf(form)))
  if (made) window.open(appUrl(made.path), '_blank', 'noopener')
}

/** The buttons that try and edit a form. Edit is last, because it changes nothing: it comes where “Save and publish” was. */
export function BuilderActions({ form }: { form: BuilderForm }) {
  if (form.trashed) return null
  return (
    <>
      {acceptsSamples(form) ? (
        <Button run={() => act(async () => (await commands()).submitSample(form))}>
          <Icon name="send" />
          Submit a sample response
        </Button>
      ) : null}
      <a class="button" href={link(['forms', form.id, 'edit'])}>
        <Icon name="edit" />
        Edit
      </a>
    </>
  )
}

/** What the menu of a form has of the builder. */
export const builderItems = (form: BuilderForm): readonly MenuItem[] => [
  { text: 'Preview', icon: 'preview', run: () => void preview(form) },
  {
    text: 'Duplicate',
    icon: 'duplicate',
    run: () => void act(async () => (await commands()).duplicateForm(form)),
  },
]

/** The button that creates a form. */
export function NewFormButton() {
  return (
    <Button class="button primary" run={() => act(async () => (await commands()).createForm())}>
      New form
    </Button>
  )
}
