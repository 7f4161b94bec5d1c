import * as testing from '@formwire/reference-server/testing'
import * as sdk from '@formwire/sdk'
import * as sync from '@formwire/sync'
import * as postgres from '@formwire/sync/postgres'
import * as sqlite from '@formwire/sync/sqlite'
import check from './sync-check.cjs'

await check({ sdk, sync, sqlite, postgres, testing })
