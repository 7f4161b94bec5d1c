import { randomInt } from 'node:crypto'
import type { SeedFactory } from '@formwire/reference-server/testing'
import type { PublicForm, PublicQuestion } from './public-form.ts'
import type { Submission } from './submission.ts'

/** Generates answers that the form accepts. Optional file questions are skipped; required ones get a small text file. */
export class AnswerGenerator {
  readonly #form: PublicForm
  readonly #factory: SeedFactory

  private constructor(form: PublicForm, factory: SeedFactory) {
    this.#form = form
    this.#factory = factory
  }

  static async create(form: PublicForm): Promise<AnswerGenerator> {
    const { createSeedFactory } = await import('@formwire/reference-server/testing')
    return new AnswerGenerator(form, await createSeedFactory(randomInt(2 ** 31)))
  }

  /** Returns the answers of one response. */
  async answers(): Promise<Submission['answers']> {
    const { questions } = this.#form
    const generated =
      this.#factory.response(questions as Parameters<SeedFactory['response']>[0]).answers ?? []
    const answers: { question_id: string; value: unknown }[] = []
    for (const { question_id, value } of generated) {
      const question = questions.find(({ id }) => id === question_id)
      if (!question || !takesFile(question)) answers.push({ question_id, value })
      else if (question.required)
        answers.push({
          question_id,
          value: await this.#form.upload(question_id, 'sample.txt', 'A sample file.\n'),
        })
    }
    return answers
  }
}

const takesFile = ({ type }: PublicQuestion): boolean => type === 'file' || type === 'signature'
