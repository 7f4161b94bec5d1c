import type { Seed, SeedAnswer } from '@formwire/reference-server/testing'

/** Id of the form. */
export const FEEDBACK = 'feedback0001'

const answer = (question_id: string, value: SeedAnswer['value']) => ({ question_id, value })
const choice = (id: string) => ({ ids: [id], other: null })

/** A form with three responses. */
export const SEED = {
  version: 1,
  users: [{ id: 1, name: 'Ada Byron', email: 'ada@example.com' }],
  workspaces: [
    {
      id: 1,
      name: 'Harbour House',
      members: [{ user: 'ada@example.com', role: 'owner' }],
      keys: [{ name: 'CI', scope: 'write', user: 'ada@example.com', key: `svc_${'w'.repeat(40)}` }],
      forms: [
        {
          id: FEEDBACK,
          slug: 'feedback',
          title: 'Guest feedback',
          questions: [
            { id: 'nps', type: 'nps', title: 'How likely are you to recommend us?', required: true },
            {
              id: 'room',
              type: 'single_choice',
              title: 'Which room did you have?',
              options: ['twin', 'double'].map((id) => ({ id, label: id })),
              allow_other: true,
            },
            {
              id: 'quality',
              type: 'grid_single',
              title: 'How was …?',
              rows: ['service', 'breakfast'].map((id) => ({ id, label: id })),
              columns: ['poor', 'fair', 'good'].map((id) => ({ id, label: id })),
            },
            { id: 'remark', type: 'long_text', title: 'Anything else?' },
          ],
          responses: [
            {
              submitted_at: '2026-11-20T09:00:00.000Z',
              answers: [answer('nps', 9), answer('quality', { service: 'good', breakfast: 'fair' })],
            },
            {
              submitted_at: '2026-11-20T10:00:00.000Z',
              answers: [answer('nps', 10), answer('room', choice('twin')), answer('remark', 'Lovely.')],
            },
            {
              submitted_at: '2026-11-21T09:00:00.000Z',
              answers: [
                answer('nps', 2),
                answer('room', choice('twin')),
                answer('quality', { service: 'poor' }),
                answer('remark', 'Too loud.'),
              ],
            },
          ],
        },
      ],
    },
  ],
} satisfies Seed
