import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { FormContent } from '../services/forms.ts'
import type { Preview } from './page/document.ts'
import { formPage } from './page/form-page.ts'

/** Returns the page that respondents would see if this content were published. */
export function previewPage(
  content: FormContent,
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  preview: Preview,
): OutgoingMessage {
  const now = clock.now()
  const publication = { ...content, publishedAt: now }
  return formPage({
    of: { form: { ...NOT_STORED, ...content, publication }, publication, publicUrl: settings.publicUrl },
    token: undefined,
    submitToken: '',
    query: '',
    file: () => undefined,
    fileMaxBytes: settings.limits.fileMaxBytes,
    startedAt: new Date(now).toISOString(),
    preview,
  })
}

/** The form of a preview, without its content. */
const NOT_STORED = {
  id: '000000000000',
  revision: 0,
  workspaceId: 0,
  // No public link has it: slugs have 8 characters.
  slug: 'preview',
  status: 'published',
  statusBeforeArchive: null,
  responseCount: 0,
  responseLimit: null,
  opensAt: null,
  closesAt: null,
  createdAt: 0,
  updatedAt: 0,
  trashedAt: null,
} as const satisfies Omit<FormRecord, keyof FormContent | 'publication'>
