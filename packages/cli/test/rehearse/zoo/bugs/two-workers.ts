import cluster from 'node:cluster'
import { handleOnce } from '../support/handle-once.ts'
import { receive } from '../support/receive.ts'

// Bug: each worker only knows what it has handled itself.
if (cluster.isPrimary) {
  cluster.fork()
  cluster.fork()
} else receive(handleOnce())
