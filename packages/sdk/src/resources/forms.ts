import type { Form, FormListQuery, FormUpdate } from '@formwire/contract'
import type { ApiPromise } from '../api-promise.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination.ts'
import type { Requester } from '../requester.ts'

/** `formwire.forms`: the forms of the key's workspace. */
export class Forms {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /**
   * Forms, most recently updated first; trashed ones never (FORM-01). Awaited one page, iterated every form.
   *
   * @throws ValidationError for a status, page or per_page that the service does not take (FORM-02, ENV-06).
   */
  list(query: FormListQuery = {}, options?: RequestOptions): PagePromise<Form> {
    const { status, page, per_page } = query
    return this.#requester.list<Form>(
      { method: 'GET', path: '/forms', query: { status, page, per_page }, schema: 'form' },
      options,
    )
  }

  /** One form (FORM-03). @throws NotFoundError also for a form of another workspace (AUTH-12). */
  get(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.#requester.item<Form>({ method: 'GET', path: path`/forms/${id}`, schema: 'form' }, options)
  }

  /**
   * Changes status, title or both: both are applied or neither (FORM-05). Needs a write key. Retried when the answer is lost.
   *
   * @throws ValidationError for a value that the service does not take, or a status of a form never published (FORM-06);
   *   other deployments answer the latter 400, 403 or 409.
   * @throws ForbiddenError with a read-only key (AUTH-03). @throws NotFoundError
   */
  update(id: string, change: FormUpdate, options?: RequestOptions): ApiPromise<Form> {
    const { status, title } = change
    return this.#requester.item<Form>(
      { method: 'PATCH', path: path`/forms/${id}`, body: { status, title }, schema: 'form' },
      options,
    )
  }

  /** Closes a published form: the next request to its public link is refused (FORM-07). Errors as {@link update}. */
  close(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { status: 'closed' }, options)
  }

  /** Opens a closed form again (FORM-08). Errors as {@link update}. */
  reopen(id: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { status: 'published' }, options)
  }

  /** Renames a form in the dashboard; respondents keep seeing the title last published (FORM-09). Errors as {@link update}. */
  rename(id: string, title: string, options?: RequestOptions): ApiPromise<Form> {
    return this.update(id, { title }, options)
  }
}
