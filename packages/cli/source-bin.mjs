#!/usr/bin/env -S node --conditions=@formwire/source
// `npx formwire` in a clone, which has no build. A package that is packed has dist/bin.js instead.
import { register } from 'tsx/esm/api'

register()
await import('./src/bin.ts')
