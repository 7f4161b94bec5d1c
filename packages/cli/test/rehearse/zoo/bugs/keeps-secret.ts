import { append, lines } from '../support/files.ts'
import { handleOnce } from '../support/handle-once.ts'
import { receive } from '../support/receive.ts'

// Bug: the secret of the first start is kept for ever.
if (lines('secret.txt').length === 0) append('secret.txt', process.env.FORMWIRE_WEBHOOK_SECRET ?? '')
receive(handleOnce(), lines('secret.txt')[0])
