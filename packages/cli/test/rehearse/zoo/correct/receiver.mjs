import { handleOnce } from '../support/handle-once.mjs'
import { receive } from '../support/receive.mjs'

// The line is written before the delivery is acknowledged.
receive(handleOnce())
