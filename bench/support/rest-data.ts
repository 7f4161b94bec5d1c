/** A form of eight questions and one answer to each: a response of some 1.3 kB, as a small survey makes them. */
export const QUESTIONS = [
  { id: 'name', type: 'short_text', title: 'What is your name?' },
  { id: 'mail', type: 'email', title: 'Where may we write to you?' },
  { id: 'stars', type: 'rating', title: 'How was your stay?' },
  { id: 'nps', type: 'nps', title: 'Would you recommend us?' },
  {
    id: 'liked',
    type: 'multiple_choice',
    title: 'What did you like?',
    options: [
      { id: 'room', label: 'The room' },
      { id: 'food', label: 'The food' },
    ],
  },
  { id: 'again', type: 'yes_no', title: 'Will you come again?' },
  { id: 'when', type: 'date', title: 'When were you here?' },
  { id: 'more', type: 'long_text', title: 'Anything else?' },
]

export const ANSWERS = [
  { question_id: 'name', value: 'Ada Lovelace' },
  { question_id: 'mail', value: 'ada@example.com' },
  { question_id: 'stars', value: 4 },
  { question_id: 'nps', value: 9 },
  { question_id: 'liked', value: { ids: ['room', 'food'], other: null } },
  { question_id: 'again', value: { ids: ['yes'], other: null } },
  { question_id: 'when', value: '2026-02-11' },
  { question_id: 'more', value: 'The view over the harbour in the morning is worth the journey by itself.' },
]
