import type { Command } from './command.ts'
import { completeFrom, completion } from './commands/completion.ts'
import { conformance } from './commands/conformance.ts'
import { deliveriesTail } from './commands/deliveries/tail.ts'
import {
  deliveriesList,
  deliveriesPause,
  deliveriesReplay,
  deliveriesResume,
  deliveriesShow,
  deliveriesTest,
} from './commands/deliveries.ts'
import { doctor } from './commands/doctor.ts'
import { formsClose, formsGet, formsList, formsRename, formsReopen } from './commands/forms.ts'
import { inboxDrop, inboxList, inboxRetry, inboxShow } from './commands/inbox.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import { logout, profilesList, profilesRemove, profilesUse } from './commands/profiles.ts'
import { receiverCheck } from './commands/receiver/check.ts'
import { rehearse } from './commands/rehearse.ts'
import { replay } from './commands/replay.ts'
import { responsesDelete } from './commands/responses/delete.ts'
import { responsesExport } from './commands/responses/export.ts'
import { responsesTail } from './commands/responses/tail.ts'
import { responsesGet, responsesList, responsesSubmit } from './commands/responses.ts'
import { seedCheck, seedPull } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { sync, syncStatus } from './commands/sync.ts'
import { trigger } from './commands/trigger.ts'
import { types } from './commands/types.ts'
import { webhooksCreate, webhooksDelete, webhooksList } from './commands/webhooks.ts'
import { whoami } from './commands/whoami.ts'

const SHOWN: readonly Command[] = [
  whoami,
  login,
  logout,
  profilesList,
  profilesUse,
  profilesRemove,
  doctor,
  formsList,
  formsGet,
  formsClose,
  formsReopen,
  formsRename,
  responsesList,
  responsesGet,
  responsesDelete,
  responsesSubmit,
  responsesTail,
  responsesExport,
  types,
  webhooksList,
  webhooksCreate,
  webhooksDelete,
  deliveriesList,
  deliveriesShow,
  deliveriesTail,
  deliveriesReplay,
  deliveriesTest,
  deliveriesPause,
  deliveriesResume,
  sync,
  syncStatus,
  listen,
  replay,
  trigger,
  receiverCheck,
  inboxList,
  inboxShow,
  inboxRetry,
  inboxDrop,
  rehearse,
  serve,
  mcp,
  seedPull,
  seedCheck,
  conformance,
  completion,
]

/**
 * Every command of the program, in the order of help. A command's file contains its help, its errors and one `run`. Heavy modules
 * are loaded inside `run`, so that loading all commands costs next to nothing at start.
 */
export const COMMANDS: readonly Command[] = [...SHOWN, completeFrom(SHOWN)]
