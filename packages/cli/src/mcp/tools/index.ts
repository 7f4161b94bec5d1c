import type { McpFlags } from '../flags.ts'
import type { Tool } from '../tool.ts'
import { change } from './change.ts'
import { checkReceiver } from './check-receiver.ts'
import { docs } from './docs.ts'
import { explain } from './explain.ts'
import { form } from './form.ts'
import { forms } from './forms.ts'
import { clock, deliveries, fault, receiver, requests, server } from './local.ts'
import { responses } from './responses.ts'
import { submit } from './submit.ts'
import { types } from './types.ts'
import { wait } from './wait.ts'

/** Every tool, in the order in which clients list them. */
const TOOLS: readonly Tool[] = [
  server,
  clock,
  form,
  submit,
  receiver,
  fault,
  deliveries,
  requests,
  wait,
  explain,
  checkReceiver,
  docs,
  forms,
  responses,
  types,
  change,
]

/** Returns the tools that exist with these options. */
export const toolsFor = ({ local, allowWrite }: McpFlags): readonly Tool[] =>
  TOOLS.filter(({ group }) => (group === 'local' ? local !== false : group === 'write' ? allowWrite : true))
