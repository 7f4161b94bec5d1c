import type { Context } from '../../context.ts'
import { item } from '../../http/answers.ts'
import type { Route } from '../../http/route.ts'
import { VERSION } from '../../version.ts'
import type { App } from '../index.ts'
import { formControlRoutes } from './forms.ts'
import { instrumentRoutes } from './instruments.ts'
import { peopleRoutes } from './people.ts'

/** The table of routes of the control side. */
export const controlRoutes = (app: App, _context: Context): Route[] => [
  ...peopleRoutes(app),
  ...formControlRoutes(app),
  ...instrumentRoutes(app),
]

/** What needs no token. */
export const openControlRoutes: Route[] = [
  { method: 'GET', pattern: '/_app/health', run: () => item({ status: 'ok', version: VERSION }) },
]
