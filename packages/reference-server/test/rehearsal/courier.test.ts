import { expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { Courier } from '../../src/rehearsal/courier.ts'
import { Trace } from '../../src/rehearsal/trace.ts'

it('[DLV-06] takes a delivery without an answer for claimed once the program that received it was stopped', async () => {
  let program: object | undefined = { start: 1 }
  const courier = new Courier({
    port: Number(new URL(await serve(({ socket }) => socket.destroy())).port),
    path: '/',
    trace: new Trace(() => 0),
    holds: true,
    isCut: () => false,
    running: () => program,
    onReceived() {},
    onAcknowledged() {},
    replay() {},
    signal: new AbortController().signal,
  })
  const send = (responseId: number) =>
    courier.carry({
      deliveryId: `d${responseId}`,
      responseId,
      headers: {},
      body: Buffer.from('{}'),
      signal: new AbortController().signal,
    })
  const claimed = () => [1, 2, 3].filter((id) => courier.isClaimed(id))
  await send(1)
  expect(claimed()).toEqual([])
  program = undefined
  await send(3)
  expect(claimed()).toEqual([1])
  program = { start: 2 }
  await send(1)
  await send(2)
  expect(claimed()).toEqual([1])
  program = { start: 3 }
  expect(claimed()).toEqual([1, 2])
})
