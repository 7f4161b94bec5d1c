/** A realistic example of each type, with ids that the demo of the reference server has. `test/openapi.test.ts` checks each against its schema. */
import type {
  CreatedWebhookEndpoint,
  Form,
  FormResponse,
  Me,
  WebhookEndpoint,
  WebhookEvent,
} from '../../src/index.ts'

export const me: Me = {
  user: { id: 1, name: 'Maya Lindqvist', email: 'maya@example.com' },
  workspace: { id: 1, name: 'Harbour Pine Inn', role: 'owner' },
  key: { id: 1, name: 'Reporting', prefix: 'svc_4fQz9a', scope: 'write' },
}

export const form: Form = {
  id: 'guestvoice01',
  title: 'Guest feedback 2026',
  status: 'published',
  slug: 'guest-feedback',
  url: 'https://forms.example.com/f/guest-feedback',
  published: true,
  response_count: 260,
  response_limit: null,
  opens_at: null,
  closes_at: '2026-12-31T23:00:00.000Z',
  created_at: '2026-08-28T08:15:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}

export const closedForm: Form = { ...form, status: 'closed', updated_at: '2026-11-21T09:31:00.000Z' }

export const response: FormResponse = {
  id: 260,
  form_id: 'guestvoice01',
  status: 'submitted',
  started_at: '2026-11-21T09:26:04.000Z',
  submitted_at: '2026-11-21T09:30:00.000Z',
  duration_sec: 236,
  email: 'guest@example.com',
  score: null,
  max_score: null,
  answers: [
    { question_id: 'nps', title: 'How likely are you to recommend us?', type: 'nps', value: 9, text: '9' },
    {
      question_id: 'enjoyed',
      title: 'What did you enjoy?',
      type: 'multiple_choice',
      value: { ids: ['sauna', 'dinner'], other: 'The harbour' },
      text: 'Sauna, Dinner, The harbour',
    },
    {
      question_id: 'parts',
      title: 'How was …?',
      type: 'grid_single',
      value: { service: 'good', food: 'fair' },
      text: 'Service: Good; Food: Fair',
    },
  ],
  meta: {
    device: 'mobile',
    browser: 'Firefox',
    os: 'Android',
    ref: 'https://newsletter.example.com/',
    utm: { source: 'newsletter' },
  },
}

export const draft: FormResponse = {
  ...response,
  id: 267,
  status: 'in_progress',
  submitted_at: null,
  email: null,
  answers: response.answers.slice(0, 1),
}

export const webhook: WebhookEndpoint = {
  id: 2,
  url: 'https://hooks.example.com/formwire',
  active: true,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const createdWebhook: CreatedWebhookEndpoint = { ...webhook, secret: 'whsec_example-keep-me-secret' }

const { id, submitted_at, answers, score, max_score, meta } = response

export const submittedEvent: WebhookEvent = {
  event: 'response.submitted',
  form: { id: form.id, title: form.title },
  response: { id, submitted_at: submitted_at as string, answers, score, max_score, meta },
}

export const pingEvent: WebhookEvent = {
  event: 'test.ping',
  form: { id: form.id, title: form.title },
  response: {
    id: 0,
    submitted_at: '2026-11-21T09:30:00.000Z',
    answers: [
      { question_id: 'example', title: 'Example', type: 'short_text', value: 'Hello', text: 'Hello' },
    ],
    score: null,
    max_score: null,
    meta: {},
  },
}
