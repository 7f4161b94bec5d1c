import { ConnectionError } from '../errors/client-errors.ts'
import { guardOf } from '../errors/formwire-error.ts'

/** The store of the rate budget is unavailable, so that no request was sent. A later attempt may succeed; polls wait for it. */
export class BudgetUnavailableError extends ConnectionError {
  static override readonly kind: string = 'BudgetUnavailableError'
}

/** Whether a value is a {@link BudgetUnavailableError}, from any copy of the package. */
export const isBudgetUnavailableError = /* @__PURE__ */ guardOf(BudgetUnavailableError)
