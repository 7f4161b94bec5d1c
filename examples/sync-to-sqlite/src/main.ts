import { Formwire } from '@formwire/sdk'
import { syncAndReport } from './sync.ts'

const [formId, path = 'responses.db'] = process.argv.slice(2)
if (formId === undefined) throw new Error('usage: npm start FORM [FILE]')
console.log(await syncAndReport(new Formwire(), path, formId))
