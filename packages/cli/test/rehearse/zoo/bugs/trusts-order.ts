import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: a delivery that arrives late is older than the newest one, and dropped.
let newest = lines('handled.txt').at(-1)?.split(' ')[1] ?? ''
const handled = new Set(lines('handled.txt').map((line) => line.split(' ')[0]))
receive(({ event, response: { id, submitted_at } }) => {
  if (event !== 'response.submitted' || submitted_at < newest || handled.has(String(id))) return
  append('handled.txt', `${id} ${submitted_at}`)
  handled.add(String(id))
  newest = submitted_at
})
