import { ALL_HOSTILE_TEXTS } from './hostile-texts.ts'

/** Forms of {@link hostileSeed}. */
export const HOSTILE_FORMS = {
  /** Has a response with each text as answer, email and `meta.ref`. */
  answers: 'hostile00001',
  /** Has one response, in which each text is an answer, the title of its question, an option and the name of a file. */
  places: 'hostile00002',
} as const

const OWNER = 'owner@example.com'
const ALL = [...ALL_HOSTILE_TEXTS.entries()]

/** Returns what is before a text in places that must not be blank. */
const titled = (text: string): string => (text.trim() === '' ? `blank${text}` : text)

/** A seed with every hostile text in every place that a form, a respondent or a browser fills in. */
export const hostileSeed = () => ({
  version: 2 as const,
  users: [{ name: 'Owner', email: OWNER }],
  workspaces: [
    {
      name: 'Hostile',
      members: [{ user: OWNER, role: 'owner' as const }],
      forms: [
        {
          id: HOSTILE_FORMS.answers,
          title: 'Answers',
          questions: [{ id: 'a', type: 'long_text' as const, title: 'Answer' }],
          responses: ALL.map(([at, text]) => ({
            id: at + 1,
            submitted_at: `-${ALL.length - at}s`,
            email: text,
            meta: { ref: text, utm: { source: text }, [`k${text.slice(0, 50)}`]: text },
            answers: [{ question_id: 'a', value: text, text }],
          })),
        },
        {
          id: HOSTILE_FORMS.places,
          title: 'Places',
          questions: [
            {
              id: 'choice',
              type: 'multiple_choice' as const,
              title: 'Choice',
              allow_other: true,
              options: ALL.map(([at, text]) => ({ id: `o${at}`, label: titled(text) })),
            },
            { id: 'file', type: 'file' as const, title: 'File' },
            ...ALL.map(([at, text]) => ({ id: `q${at}`, type: 'long_text' as const, title: titled(text) })),
          ],
          responses: [
            {
              id: ALL.length + 1,
              submitted_at: '-0s',
              answers: [
                {
                  question_id: 'choice',
                  value: { ids: ALL.map(([at]) => `o${at}`), other: '*/ other \u001b[2J' },
                  text: ALL_HOSTILE_TEXTS.join(', '),
                },
                {
                  question_id: 'file',
                  value: ALL.map(([at, name]) => ({ id: `file_${at}`, name, size: at })),
                  text: ALL_HOSTILE_TEXTS.join(', '),
                },
                ...ALL.map(([at, text]) => ({ question_id: `q${at}`, value: text, text })),
              ],
            },
          ],
        },
        ...ALL.map(([at, text]) => ({
          id: `title${String(at).padStart(7, '0')}`,
          title: Array.from(titled(text)).slice(0, 200).join('').replace(/^\s+$/, 'blank'),
        })),
      ],
    },
  ],
})
