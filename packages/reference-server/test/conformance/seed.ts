import type { Seed } from '../../src/index.ts'
import type { SeedForm } from '../../src/seed/format.ts'

/** The start of every case. */
export const NOW = '2026-03-02T12:00:00.000Z'

/** Keys of the seed, by what they may do. They are valid only in these tests. */
export const KEYS = {
  write: 'svc_ownerwritekey00000000',
  read: 'svc_ownerreadkey000000000',
  editor: 'svc_editorwritekey0000000',
  viewer: 'svc_viewerwritekey0000000',
  revoked: 'svc_revokedkey00000000000',
  elsewhere: 'svc_elsewherewritekey0000',
} as const

export const FORM = 'formsurvey01'
export const DRAFT = 'formdraft001'
export const CLOSED = 'formclosed01'
export const ARCHIVED = 'formarchive1'
export const TRASHED = 'formtrashed1'
export const ELSEWHERE = 'formelsewhe1'

/** A form without questions, and the days when it was created and updated. */
const other = (
  id: string,
  title: string,
  created: string,
  updated: string,
  more: Partial<SeedForm>,
): SeedForm => ({
  id,
  slug: title.toLowerCase(),
  title,
  created_at: `${created}T00:00:00Z`,
  updated_at: `${updated}T00:00:00Z`,
  ...more,
})

/** Two workspaces, every role, a form in every status, three responses and a draft. */
export const SEED: Seed = {
  version: 1,
  users: [
    { name: 'Olive Owner', email: 'olive@example.com' },
    { name: 'Ed Editor', email: 'ed@example.com' },
    { name: 'Vi Viewer', email: 'vi@example.com' },
    { name: 'Ann Other', email: 'ann@example.com' },
  ],
  workspaces: [
    {
      name: 'Here',
      members: [
        { user: 'olive@example.com', role: 'owner' },
        { user: 'ed@example.com', role: 'editor' },
        { user: 'vi@example.com', role: 'editor' },
      ],
      keys: [
        { name: 'Main', scope: 'write', user: 'olive@example.com', key: KEYS.write },
        { name: 'Reports', scope: 'read', user: 'olive@example.com', key: KEYS.read },
        { name: 'Editing', scope: 'write', user: 'ed@example.com', key: KEYS.editor },
        { name: 'Viewing', scope: 'write', user: 'vi@example.com', key: KEYS.viewer },
        { name: 'Old', scope: 'write', user: 'olive@example.com', key: KEYS.revoked, revoked: true },
      ],
      forms: [
        {
          id: FORM,
          slug: 'survey',
          title: 'Survey',
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-02-01T00:00:00Z',
          questions: [
            { id: 'name', type: 'short_text', title: 'Your name?' },
            { id: 'stars', type: 'rating', title: 'How was it?' },
          ],
          responses: [
            {
              submitted_at: '2026-02-10T10:00:00.000Z',
              started_at: '2026-02-10T09:58:30.400Z',
              email: 'a@example.com',
              meta: {
                device: 'desktop',
                browser: 'Firefox',
                os: 'Linux',
                ref: 'https://example.com/',
                utm: { source: 'mail' },
              },
              answers: [
                { question_id: 'stars', value: 4 },
                { question_id: 'name', value: 'Ada' },
              ],
            },
            { submitted_at: '2026-02-11T10:00:00.250Z', answers: [{ question_id: 'name', value: 'Ben' }] },
            { submitted_at: '2026-02-12T10:00:00.000Z', answers: [] },
            {
              status: 'in_progress',
              started_at: '2026-02-12T10:00:00.000Z',
              submitted_at: '2026-02-12T10:01:05.000Z',
              answers: [{ question_id: 'name', value: 'Cy' }],
            },
          ],
        },
        other(DRAFT, 'Draft', '2026-01-02', '2026-01-05', { status: 'draft' }),
        other(CLOSED, 'Closed', '2026-01-03', '2026-01-04', { status: 'closed' }),
        other(ARCHIVED, 'Archived', '2026-01-03', '2026-01-03', { status: 'archived' }),
        other(TRASHED, 'Trashed', '2026-01-03', '2026-02-20', { trashed: true }),
      ],
    },
    {
      name: 'There',
      members: [{ user: 'ann@example.com', role: 'owner' }],
      keys: [{ name: 'Theirs', scope: 'write', user: 'ann@example.com', key: KEYS.elsewhere }],
      forms: [
        {
          id: ELSEWHERE,
          slug: 'elsewhere',
          title: 'Elsewhere',
          created_at: '2026-01-01T00:00:00Z',
          responses: [{ submitted_at: '2026-02-10T10:00:00Z', answers: [] }],
          webhooks: [{ url: 'http://127.0.0.1:9/hook', active: false }],
        },
      ],
    },
  ],
}
