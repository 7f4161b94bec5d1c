import { randomUUID } from 'node:crypto'
import type { Form } from '@formwire/contract'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { envelopeOf, errorFacts } from '../http/envelope.ts'
import { sendRequest } from '../http/request.ts'
import { safeLine } from '../output/text-safety.ts'
import type { Submission } from './submission.ts'

const TIMEOUT_MS = 30_000

/** Maximum number of question ids in an error. */
const MAX_SHOWN = 20

/** A question as the public link shows it. */
export interface PublicQuestion {
  id: string
  type: string
  title: string
  required?: boolean
}

/** What the public link returns for a submission. */
interface Submitted {
  id: number
  status: string
}

/** The public link of a form on a reference server. */
export class PublicForm {
  readonly #context: Context
  readonly #form: Pick<Form, 'id' | 'status'>
  readonly #link: string
  readonly questions: readonly PublicQuestion[]

  private constructor(
    context: Context,
    form: Pick<Form, 'id' | 'status'>,
    link: string,
    questions: readonly PublicQuestion[],
  ) {
    this.#context = context
    this.#form = form
    this.#link = link
    this.questions = questions
  }

  /** Reads the form. @throws Failure exit 1 if the server is not a reference server, or the form is not open */
  static async open(context: Context, form: Pick<Form, 'id' | 'status' | 'url'>): Promise<PublicForm> {
    const base = context.baseUrl().replace(/\/$/, '')
    await requireReferenceServer(context, base)
    // The link may have the host that respondents use; the path is the same at this server.
    const link = `${base}${new URL(form.url, base).pathname}`
    const page = (await send(context, form, 'GET', link)) as { questions?: PublicQuestion[] }
    return new PublicForm(context, form, link, page.questions ?? [])
  }

  /** The public link ignores answers to other questions. @throws Failure exit 2 for one, such as a misspelt id */
  checkQuestions({ answers }: Submission): void {
    const known = this.questions.map(({ id }) => id)
    const unknown = answers.find(({ question_id }) => !known.includes(question_id))
    if (!unknown) return
    const shown = known.slice(0, MAX_SHOWN).join(', ')
    throw usage(
      `the form has no question "${safeLine(unknown.question_id)}"`,
      `its questions: ${safeLine(shown)}${known.length > MAX_SHOWN ? ' …' : ''}`,
    )
  }

  /** Submits a response. @throws Failure exit 1 if the form refuses it */
  async submit(submission: Submission): Promise<Submitted> {
    const body = Buffer.from(JSON.stringify(submission))
    return (await send(this.#context, this.#form, 'POST', this.#link, body, 'application/json')) as Submitted
  }

  /** Uploads a text file for a question and resolves to the value that claims it. */
  async upload(questionId: string, name: string, text: string): Promise<unknown> {
    const boundary = `formwire-${randomUUID()}`
    const parts = [
      `--${boundary}\r\nContent-Disposition: form-data; name="question_id"\r\n\r\n${questionId}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
      `--${boundary}--\r\n`,
    ]
    const type = `multipart/form-data; boundary=${boundary}`
    return await send(
      this.#context,
      this.#form,
      'POST',
      `${this.#link}/files`,
      Buffer.from(parts.join('')),
      type,
    )
  }
}

/** The public link of a real service is for people: nothing is sent to it. */
async function requireReferenceServer(context: Context, base: string): Promise<void> {
  const url = `${base}/_app/health`
  const { status, body } = await sendRequest({
    url,
    method: 'GET',
    headers: ACCEPT,
    timeoutMs: TIMEOUT_MS,
    stop: context.runtime.stop,
  })
  if (status === 200 && (envelopeOf(body).data as { status?: unknown } | undefined)?.status === 'ok') return
  throw new Failure('responses submit requires a reference server', {
    exitCode: EXIT.failed,
    code: 'no_reference_server',
    hint: 'start one with formwire serve; on a real service, open the public link in a browser',
  })
}

/** What to do about a form with a status that accepts no responses. */
const CLOSED_HINTS: Readonly<Record<string, (formId: string) => string>> = {
  closed: (formId) => `reopen it: formwire forms reopen ${formId}`,
  archived: () => 'unarchive it in the app',
}

const ACCEPT = { accept: 'application/json' }

async function send(
  context: Context,
  form: Pick<Form, 'id' | 'status'>,
  method: string,
  url: string,
  body?: Buffer,
  type?: string,
): Promise<unknown> {
  const response = await sendRequest({
    url,
    method,
    headers: { ...ACCEPT, ...(body ? { 'content-type': type, 'content-length': body.length } : {}) },
    body,
    timeoutMs: TIMEOUT_MS,
    stop: context.runtime.stop,
  })
  const { status } = response
  const envelope = envelopeOf(response.body)
  if (status >= 200 && status < 300 && envelope.data !== undefined) return envelope.data
  const message = (envelope.error?.message ?? `the public link responded with ${status}`).replace(/\.$/, '')
  const facts = errorFacts(envelope, status)
  if (status === 404) {
    const isDraft = form.status === 'draft'
    throw new Failure(
      isDraft
        ? `form ${form.id} is a draft: its link accepts no responses`
        : `the public link of form ${form.id} was not found`,
      {
        ...facts,
        ...(isDraft ? { exitCode: EXIT.failed, code: 'form_closed' } : { exitCode: EXIT.notFound }),
        hint: isDraft
          ? 'publish it in the app'
          : 'check in the app that it is published and not in the trash',
      },
    )
  }
  if (facts.code === 'form_closed') {
    const hint = CLOSED_HINTS[form.status]?.(form.id)
    const why = hint === undefined ? `accepts no responses: ${message}` : `is ${form.status}`
    throw new Failure(`form ${form.id} ${why}`, {
      ...facts,
      exitCode: EXIT.failed,
      hint,
    })
  }
  throw new Failure(`could not submit a response to form ${form.id}: ${message}`, {
    ...facts,
    exitCode: EXIT.failed,
  })
}
