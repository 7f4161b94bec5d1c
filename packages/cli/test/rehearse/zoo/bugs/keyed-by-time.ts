import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: two responses can have the same time.
const times = new Set(lines('handled.txt').map((line) => line.split(' ')[1]))
receive(({ event, response: { id, submitted_at } }) => {
  if (event !== 'response.submitted' || times.has(submitted_at)) return
  append('handled.txt', `${id} ${submitted_at}`)
  times.add(submitted_at)
})
