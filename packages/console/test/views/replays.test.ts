import { describe, expect, it } from 'vitest'
import { findReplays, latestReplay, replayIdsOf } from '../../src/views/delivery/replays.ts'
import { delivery } from '../delivery.ts'

const to = (id: string, webhook_id = 1, response_id = 7) => delivery(id, { webhook_id, response_id })

/** Newest first. */
const LIST = [to('again'), to('other response', 1, 8), to('replay'), to('other endpoint', 2), to('first')]

const ids = (id: string, list = LIST) => {
  const { original, replays } = findReplays(list, list.find((one) => one.id === id) ?? to(id))
  return [original?.id, replays.map((replay) => replay.id)]
}

describe('the replays of a delivery', () => {
  it('[DLV-08] are the later deliveries of its response to its endpoint, newest first', () => {
    expect(ids('first')).toEqual([undefined, ['again', 'replay']])
  })

  it('[DLV-08] are marked in the log, and the first delivery is not', () => {
    expect([...replayIdsOf(LIST)]).toEqual(['replay', 'again'])
  })

  it('[DLV-08] name the first delivery and later replays', () => {
    expect(ids('replay')).toEqual(['first', ['again']])
    expect(ids('again')).toEqual(['first', []])
  })

  it('[DLV-08] show by the newest delivered one, or else by the newest, what came of a delivery', () => {
    const list = (again: 'failed' | 'delivered', replay: 'failed' | 'delivered') =>
      LIST.map((one) => ({
        ...one,
        status: one.id === 'again' ? again : one.id === 'replay' ? replay : 'failed',
      }))
    const first = to('first')
    expect(latestReplay(list('failed', 'delivered'), first)?.id).toBe('replay')
    expect(latestReplay(list('failed', 'failed'), first)?.id).toBe('again')
    expect(latestReplay(LIST, to('other endpoint', 2))).toBeUndefined()
  })

  it('[DLV-08] are all that the log has, for a delivery that has left it', () => {
    expect(ids('original', [to('replay')])).toEqual([undefined, ['replay']])
  })

  it('[DLV-02, DLV-08] are none for another endpoint, another response and test events', () => {
    expect(ids('other endpoint')).toEqual([undefined, []])
    expect(ids('other response')).toEqual([undefined, []])
    const pings = [to('ping 2', 1, 0), to('ping 1', 1, 0)]
    expect(ids('ping 1', pings)).toEqual([undefined, []])
    expect([...replayIdsOf(pings)]).toEqual([])
  })
})
