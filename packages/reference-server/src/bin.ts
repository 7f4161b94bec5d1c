#!/usr/bin/env node
import { runServer } from './bin/run-server.ts'

await runServer(process.argv.slice(2))
