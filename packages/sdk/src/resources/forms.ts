import type { Form, FormListQuery, FormUpdate } from '@formwire/contract'
import type { ApiPromise } from '../http/api-promise.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination/pages.ts'
import type { Requester } from '../requester.ts'

/** `formwire.forms`: the forms of the key's workspace. */
export class Forms {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /**
   * Lists forms, most recently updated first, without trashed ones (FORM-01). Await it for one page, or iterate it for every form.
   *
   * @example for await (const form of formwire.forms.list({ status: 'published' })) console.log(form.title)
   * @throws ValidationError for an invalid status, page or per_page (FORM-02, ENV-06).
   */
  list(query: FormListQuery = {}, options?: RequestOptions): PagePromise<Form> {
    return this.#requester.list<Form>(
      {
        method: 'GET',
        path: '/forms',
        query,
        parameters: ['status', 'page', 'per_page'],
        schema: 'form',
        isMoving: true,
      },
      options,
    )
  }

  /** Returns a form (FORM-03). @throws NotFoundError also for a form of another workspace (AUTH-12). */
  get(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.#requester.item<Form>({ method: 'GET', path: path`/forms/${id}`, schema: 'form' }, options)
  }

  /**
   * Changes the status, the title, or both atomically (FORM-05). Requires a write key. Retried if the response is lost.
   *
   * @example await formwire.forms.update(id, { status: 'closed', title: 'Survey 2026' })
   * @throws ValidationError for an invalid value, or for a status change of a form that was never published (FORM-06). Some deployments
   *   respond to the latter with 400, 403 or 409.
   * @throws ForbiddenError with a read-only key (AUTH-03). @throws NotFoundError
   */
  update(id: string, change: FormUpdate, options?: RequestOptions): ApiPromise<Form> {
    return this.#requester.item<Form>(
      {
        method: 'PATCH',
        path: path`/forms/${id}`,
        body: change,
        parameters: ['status', 'title'],
        schema: 'form',
      },
      options,
    )
  }

  /** Closes a published form. Its public link no longer accepts responses (FORM-07). Throws the errors of {@link update}. */
  close(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { status: 'closed' }, options)
  }

  /** Reopens a closed form (FORM-08). Throws the errors of {@link update}. */
  reopen(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { status: 'published' }, options)
  }

  /** Renames a form in the dashboard. Respondents see the title last published (FORM-09). Throws the errors of {@link update}. */
  rename(id: string, title: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { title }, options)
  }
}
