import cluster from 'node:cluster'
import { append, lines } from '../support/files.mjs'
import { receive } from '../support/receive.mjs'

// Bug: each worker only knows what it has handled itself.
if (cluster.isPrimary) {
  cluster.fork()
  cluster.fork()
} else {
  const handled = new Set(lines('handled.txt'))
  receive(({ event, response }) => {
    const id = String(response.id)
    if (event !== 'response.submitted' || handled.has(id)) return
    append('handled.txt', id)
    handled.add(id)
  })
}
