/** The documented error codes and the HTTP status of each. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  validation_failed: 422,
  rate_limited: 429,
  server_error: 500,
} as const

/** A documented error code. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** The HTTP status of a documented error. */
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode]
