import * as main from '@formwire/reference-server'
import * as testing from '@formwire/reference-server/testing'
import * as sdk from '@formwire/sdk'
import check from './alone-check.cjs'

await check({ sdk, main, testing })
