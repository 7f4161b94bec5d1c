import { handleOnce } from '../support/handle-once.ts'
import { receive } from '../support/receive.ts'

// The line is written before the delivery is acknowledged.
receive(handleOnce())
