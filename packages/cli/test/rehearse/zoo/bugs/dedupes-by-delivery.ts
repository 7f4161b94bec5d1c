import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: a replay is the same response with another delivery id.
const deliveries = new Set(lines('deliveries.txt').map((line) => line.split(' ')[1]))
receive(({ event, response }, { deliveryId }) => {
  if (event !== 'response.submitted' || deliveries.has(deliveryId)) return
  append('deliveries.txt', `${response.id} ${deliveryId}`)
  deliveries.add(deliveryId)
})
