import type { Context } from '../context.ts'
import { readLogo } from '../domain/appearance.ts'
import type { FormRecord } from '../domain/form.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { FormContent } from '../services/forms.ts'
import { themeOf } from './accent.ts'
import { PAGE_HEADERS } from './page/document.ts'
import { formPage } from './page/form-page.ts'

/** How a preview is shown. */
interface PreviewView {
  /** Path of the page, below which its files are. */
  readonly path: string
  /** Whether to leave out the script and the note, for a frame of the console. All questions are then shown. */
  readonly isStatic: boolean
}

/** Changes to the policy of a form's page: a preview sends nothing, and the console shows it in a frame. */
const POLICY_CHANGES = [
  ["form-action 'self'", "form-action 'none'"],
  ["connect-src 'self'", "connect-src 'none'"],
  ["frame-ancestors 'none'", "frame-ancestors 'self'"],
] as const

const SCRIPT = /<script[^>]*><\/script>\n?/

const NOTE = '<p class="hint" role="note">Preview: this page accepts no responses.</p>'

/** No public link has it: slugs have 8 characters. */
const SLUG = 'preview'

/** Returns the page that respondents would see if this content were published. Its buttons are disabled. */
export function previewPage(
  content: FormContent,
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  { path, isStatic }: PreviewView,
): OutgoingMessage {
  const now = clock.now()
  const publication = { ...content, publishedAt: now }
  const page = formPage({
    of: { form: { ...NOT_STORED, ...content, publication }, publication, publicUrl: settings.publicUrl },
    token: undefined,
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
    body: (isStatic ? text.replace(SCRIPT, '') : text.replace('<main>', () => `<main>\n${NOTE}`))
      .replace(`"/f/${SLUG}/theme.css"`, `"${path}/theme.css"`)
      .replace(`"/f/${SLUG}/logo"`, `"${path}/logo"`)
      .replaceAll('<button type="submit"', '<button type="submit" disabled'),
  }
}

/** Returns a file of a preview's page, the colours or the logo; `undefined` for any other name, or if there is none. */
export function previewFile({ appearance }: FormContent, name: string): OutgoingMessage | undefined {
  const { accent, logo } = appearance ?? {}
  const send = (type: string, body: string | Uint8Array): OutgoingMessage => ({
    status: 200,
    headers: { ...PAGE_HEADERS, 'content-type': type, 'cache-control': 'no-store' },
    body,
  })
  if (name === 'theme.css' && accent) return send('text/css; charset=utf-8', themeOf(accent))
  const image = name === 'logo' && logo ? readLogo(logo) : undefined
  return image && send(image.type, image.bytes)
}

/** The form of a preview, without its content. */
const NOT_STORED = {
  id: '000000000000',
  revision: 0,
  workspaceId: 0,
  slug: SLUG,
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
