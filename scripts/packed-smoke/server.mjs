import * as main from '@formwire/reference-server'
import * as conformance from '@formwire/reference-server/conformance'
import * as msw from '@formwire/reference-server/msw'
import * as testing from '@formwire/reference-server/testing'
import * as sdk from '@formwire/sdk'
import { setupServer } from 'msw/node'
import check from './server-check.cjs'

await check({ sdk, main, testing, conformance, msw, setupServer })
