import { createSeedFactory, type SeedFactory } from './factory.ts'
import type { Seed, SeedForm, SeedQuestion, SeedUser, SeedWorkspace } from './format.ts'
import { choices, everyQuestion, makeQuestion } from './questions.ts'

const OWNER: SeedUser = { name: 'Maya Lindqvist', email: 'maya@example.com' }
const EDITOR: SeedUser = { name: 'Tomás Herrera', email: 'tomas@example.com' }
const VIEWER: SeedUser = { name: 'Priya Natarajan', email: 'priya@example.com' }
const FREELANCER: SeedUser = { name: 'Jonas Adeyemi', email: 'jonas@example.com' }

/**
 * The seed of `pnpm start`: an inn and a studio, four people, seven forms in every status, and about 700 responses.
 * Endpoints are paused or at the built-in receiver, so a demo never connects to the internet. `demo-week.ts` plays what they
 * received in the last week. Every instant is relative to loading.
 */
export async function demoSeed(): Promise<Seed> {
  const make = await createSeedFactory(20_261_121)
  return {
    version: 1,
    users: [OWNER, EDITOR, VIEWER, FREELANCER],
    workspaces: [inn(make), studio(make)],
  }
}

function inn(make: SeedFactory): SeedWorkspace {
  return {
    name: 'Harbour Pine Inn',
    plan: 'business',
    members: [
      { user: OWNER.email, role: 'owner' },
      { user: EDITOR.email, role: 'editor' },
      { user: VIEWER.email, role: 'viewer' },
    ],
    keys: [
      { name: 'Demo write key', scope: 'write', user: OWNER.email, created_at: '-90d' },
      { name: 'Demo read key', scope: 'read', user: OWNER.email, created_at: '-90d' },
      { name: 'Reporting', scope: 'read', user: VIEWER.email, created_at: '-41d' },
      { name: 'Old website', scope: 'write', user: EDITOR.email, created_at: '-88d', revoked: true },
    ],
    forms: [guestFeedback(make), retreat(make), jobApplication(make), summerParty(make), winterDinner(make)],
  }
}

function studio(make: SeedFactory): SeedWorkspace {
  return {
    name: 'Lantern Studio',
    plan: 'starter',
    members: [
      { user: FREELANCER.email, role: 'owner' },
      { user: OWNER.email, role: 'editor' },
    ],
    keys: [{ name: 'Dashboard', scope: 'read', user: FREELANCER.email, created_at: '-20d' }],
    forms: [safetyQuiz(make), oldBrief(make)],
  }
}

/** Published, with many responses, two paused endpoints and one at the built-in receiver. */
function guestFeedback(make: SeedFactory): SeedForm {
  return make.form({
    id: 'guestvoice01',
    slug: 'guest-feedback',
    title: 'Guest feedback 2026',
    published_title: 'Tell us about your stay',
    created_at: '-85d',
    updated_at: '-2h',
    questions: [
      makeQuestion('nps', { required: true }),
      makeQuestion('rating', { title: 'How was your room?' }),
      makeQuestion('multiple_choice', { title: 'What did you enjoy?', allow_other: true }),
      makeQuestion('yes_no', { title: 'Did anything go wrong?' }),
      makeQuestion('long_text', {
        title: 'What went wrong?',
        show_if: { question_id: 'yes_no', equals: 'yes' },
      }),
      makeQuestion('email', { title: 'How can we reach you?', required: false }),
    ],
    responses: 260,
    drafts: 6,
    webhooks: [
      { url: 'http://127.0.0.1:4000/webhooks/formwire', active: false, created_at: '-60d' },
      { url: 'https://hooks.example.com/formwire', active: false, created_at: '-52d' },
      { url: 'http://127.0.0.1:8788/guest-feedback', built_in: true, created_at: '-45d' },
    ],
  })
}

/** Published, with one question of every type, logic and points. */
function retreat(make: SeedFactory): SeedForm {
  return make.form({
    id: 'retreatform1',
    slug: 'autumn-retreat',
    title: 'Autumn retreat registration',
    created_at: '-50d',
    updated_at: '-1d',
    response_limit: 400,
    questions: everyQuestion().map((question) => ({ ...question, ...RETREAT[question.type] })),
    responses: 140,
    drafts: 9,
    days: 45,
    webhooks: [
      { url: 'https://crm.example.com/hooks/retreat', active: false, created_at: '-44d' },
      { url: 'http://127.0.0.1:8788/retreat', built_in: true, created_at: '-6d' },
    ],
  })
}

const RETREAT: Partial<Record<SeedQuestion['type'], Partial<SeedQuestion>>> = {
  rating: { title: 'How was your last stay?' },
  yes_no: { required: true, points: { yes: 2, no: 0 } },
  multiple_choice: { points: { hike: 1, sauna: 1, dinner: 2, morning_yoga: 1 } },
  ranking: { title: 'What matters most to you?' },
  grid_single: {
    title: 'How was …, when you came before?',
    show_if: { question_id: 'yes_no', equals: 'yes' },
  },
  grid_multiple: {
    title: 'When would you hike?',
    show_if: { question_id: 'multiple_choice', equals: 'hike' },
  },
  signature: { title: 'Sign the house rules' },
}

/** Closed after its closing date. */
function jobApplication(make: SeedFactory): SeedForm {
  return make.form({
    id: 'chefposition',
    slug: 'sous-chef',
    title: 'Sous-chef application',
    status: 'closed',
    created_at: '-75d',
    updated_at: '-9d',
    closes_at: '-10d',
    questions: [
      makeQuestion('short_text', { title: 'Your full name', required: true }),
      makeQuestion('email'),
      makeQuestion('phone'),
      makeQuestion('number', { title: 'Years in a kitchen', min: 0, max: 30 }),
      makeQuestion('date', { title: 'When could you start?' }),
      makeQuestion('file', { title: 'Your CV' }),
      makeQuestion('url', { title: 'Your portfolio' }),
    ],
    responses: 64,
    endedDaysAgo: 10,
  })
}

/** Archived. */
function summerParty(make: SeedFactory): SeedForm {
  return make.form({
    id: 'harbourfest1',
    slug: 'harbour-party',
    title: 'Harbour party: are you coming?',
    status: 'archived',
    response_limit: 120,
    created_at: '-160d',
    updated_at: '-80d',
    questions: PARTY,
    responses: 104,
    endedDaysAgo: 90,
  })
}

/** Not published yet. */
function winterDinner(make: SeedFactory): SeedForm {
  return make.form({
    id: 'winterdinner',
    slug: 'winter-dinner',
    title: 'Winter tasting dinner',
    status: 'draft',
    created_at: '-3d',
    updated_at: '-5h',
    questions: [
      makeQuestion('short_text'),
      makeQuestion('email'),
      makeQuestion('dropdown', { title: 'Which evening?', options: choices('Friday', 'Saturday', 'Sunday') }),
      makeQuestion('number', { title: 'Seats', min: 1, max: 8 }),
    ],
  })
}

/** Published in the other workspace, with scores. */
function safetyQuiz(make: SeedFactory): SeedForm {
  return make.form({
    id: 'onboardquiz1',
    slug: 'studio-safety',
    title: 'Studio safety quiz',
    created_at: '-28d',
    updated_at: '-6d',
    questions: [
      makeQuestion('single_choice', {
        title: 'The kiln is hot. What first?',
        allow_other: false,
        required: true,
        options: choices('Open it', 'Wait', 'Pour water on it'),
        points: { wait: 5, open_it: 0, pour_water_on_it: 0 },
      }),
      makeQuestion('yes_no', {
        title: 'May you work alone at night?',
        required: true,
        points: { no: 5, yes: 0 },
      }),
    ],
    responses: 48,
    days: 25,
  })
}

/** In the trash. */
function oldBrief(make: SeedFactory): SeedForm {
  return make.form({
    id: 'clientbrief1',
    slug: 'client-brief',
    title: 'Client brief (old)',
    trashed: true,
    created_at: '-120d',
    updated_at: '-61d',
  })
}

const PARTY: SeedQuestion[] = [
  makeQuestion('short_text', { title: 'Your name', required: true }),
  makeQuestion('yes_no', { title: 'Will you come?', required: true }),
  makeQuestion('number', {
    title: 'How many of you?',
    min: 1,
    max: 6,
    show_if: { question_id: 'yes_no', equals: 'yes' },
  }),
  makeQuestion('time', { title: 'When will you arrive?', show_if: { question_id: 'yes_no', equals: 'yes' } }),
]
