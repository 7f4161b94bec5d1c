/**
 * Limits that keep one client from using up the memory or the time of the server. They are of this server, not of the service;
 * SECURITY.md lists them.
 */

/** Requests of one connection that have been received and have no response yet. Further ones are dropped; the last response closes it. */
export const UNANSWERED_REQUESTS_MAX = 64

/** First bytes of a body that no budget counts: about what its connection takes. A body of this size is never refused for others. */
export const UNCOUNTED_BODY_BYTES = 16_384

/** Part of a budget of bodies that the bodies of one client address may hold together. A single one may hold more. */
export const BODIES_SHARE_PER_ADDRESS = 1 / 2

/** Uploads that are kept, claimed or not. Their sizes are limited apart from that, but an empty file takes memory, too. */
export const UPLOADS_MAX = 20_000

/** Nesting depth of parsed JSON: the 500,000 levels that fit into 1 MiB would block the event loop for 0.2 s. */
export const JSON_DEPTH_MAX = 120_000

/** Values of parsed JSON. Only a snapshot can have as many: one of 256 MiB has some 19 million, and 66 million `{}` would take 4.3 GB. */
export const JSON_VALUES_MAX = 24_000_000

/** Requests of which the journal keeps headers and bodies. What is kept of more would live long enough to be expensive to collect. */
export const JOURNAL_MESSAGES_MAX = 200

/** First bytes of a body that the journal keeps. */
export const JOURNAL_BODY_BYTES = 16_384

/** Milliseconds for which the waits of `/_app/wait` compare, together, before other requests get a turn. */
export const WAITS_TURN_MS = 10

/** Real milliseconds for which a code in a link to the console signs in, once. */
export const SIGN_IN_CODE_VALID_MS = 600_000
