import { WebhookModule } from '@webhook-receiver/nestjs'
import { expect, test } from 'vitest'
import { parseByVersion, spareEndpoints as spareOnExpress } from '../src/express-parsers.ts'
import { spareEndpoints as spareOnFastify } from '../src/fastify-parsers.ts'
import { createApplication, moduleOf, PLATFORMS, platforms } from './platforms.ts'

/** What a start fails with if something is not there. */
const missing = (owner: string, kind: string, name: string) =>
  new TypeError(
    `WebhookModule cannot keep the body parsers away from deliveries: ${owner} has no ${kind} "${name}". ` +
      'It works with Nest 11 and 12 on Express 5 or Fastify 5: is another version installed, or an adapter in place of theirs?',
  )

const call = () => {}
const route = { methods: {}, stack: [{ handle: call }] }
const layer = { handle: call, match: call, route }
const withRouter = (router: object) => ({ getInstance: () => ({ router }) })
const withLayer = (changes: object) => withRouter({ stack: [{ ...layer, ...changes }] })
const withRoute = (changes: object) => withLayer({ route: { ...route, ...changes } })
const onFastify = { post: call, all: call, getInstance: () => ({}) }

test.each([
  ["Nest's adapter", 'function', 'applyVersionFilter', parseByVersion, {}],
  ["Nest's adapter", 'function', 'getInstance', spareOnExpress, {}],
  ["Express's router", 'object', 'stack', spareOnExpress, withRouter({})],
  [
    "a layer of Express's router",
    'function',
    'handle',
    spareOnExpress,
    withLayer({ handle: undefined }),
  ],
  ['a route of Express', 'object', 'methods', spareOnExpress, withRoute({ methods: undefined })],
  [
    'a layer of a route of Express',
    'function',
    'handle',
    spareOnExpress,
    withRoute({ stack: [{}] }),
  ],
  ["Nest's adapter", 'function', 'post', spareOnFastify, {}],
  ["Nest's adapter", 'function', 'all', spareOnFastify, { ...onFastify, all: undefined }],
  ["Nest's adapter", 'function', 'getInstance', spareOnFastify, { post: call, all: call }],
  ["Fastify's instance", 'function', 'addHook', spareOnFastify, onFastify],
])('%s without the %s "%s" fails the start', (owner, kind, name, prepare, adapter) => {
  expect(() => Reflect.apply(prepare as typeof parseByVersion, undefined, [adapter])).toThrow(
    missing(owner, kind, name),
  )
})

const NEEDED = { express: 'applyVersionFilter', fastify: 'all' } as const

test.each(PLATFORMS)('an application on %s does not start', async (platform) => {
  const adapter = Object.assign(platforms[platform](), { [NEEDED[platform]]: undefined })
  const module = moduleOf({ imports: [WebhookModule.forRoot({ secret: 'whsec_nest' })] })
  const started = createApplication(platform, module, { adapter, configure: (app) => app.init() })
  await expect(started).rejects.toThrow(missing("Nest's adapter", 'function', NEEDED[platform]))
})
