import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { formPage } from './page/form-page.ts'

/** Changes to the policy of a form's page: a preview sends nothing, and the console shows it in a frame. */
const POLICY_CHANGES = [
  ["form-action 'self'", "form-action 'none'"],
  ["connect-src 'self'", "connect-src 'none'"],
  ["frame-ancestors 'none'", "frame-ancestors 'self'"],
] as const

const SCRIPT = /<script[^>]*><\/script>\n?/

const NOTE = '<p class="hint" role="note">Preview: this page accepts no responses.</p>'

/** Returns the page that respondents would see if this title and these questions were published. Its buttons are disabled. */
export function previewPage(
  { title, questions }: Pick<FormRecord, 'title' | 'questions'>,
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  { isStatic }: { readonly isStatic: boolean },
): OutgoingMessage {
  const now = clock.now()
  const publication = { title, questions, publishedAt: now }
  const page = formPage({
    of: {
      form: { ...NOT_STORED, title, questions, publication },
      publication,
      publicUrl: settings.publicUrl,
    },
    token: undefined,
    // Nothing is submitted.
    submitToken: '',
    query: '',
    file: () => undefined,
    fileMaxBytes: settings.limits.fileMaxBytes,
    startedAt: new Date(now).toISOString(),
  })
  const policy = POLICY_CHANGES.reduce(
    (text, [from, to]) => text.replace(from, to),
    page.headers['content-security-policy'] ?? '',
  )
  const text = String(page.body)
  return {
    ...page,
    headers: { ...page.headers, 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' },
    body: (isStatic ? text.replace(SCRIPT, '') : text)
      .replace('<main>', () => `<main>\n${NOTE}`)
      .replaceAll('<button type="submit"', '<button type="submit" disabled'),
  }
}

/** The form of a preview, without its title and its questions. No public link has its slug. */
const NOT_STORED = {
  id: '000000000000',
  revision: 0,
  workspaceId: 0,
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
} as const satisfies Omit<FormRecord, 'title' | 'questions' | 'publication'>
