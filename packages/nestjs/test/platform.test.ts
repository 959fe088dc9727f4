import { WebhookModule } from '@webhook-receiver/nestjs'
import { describe, expect, test } from 'vitest'
import {
  type ExpressAdapter,
  parseByVersion,
  spareEndpoints as spareOnExpress,
} from '../src/express-parsers.ts'
import { type FastifyAdapter, spareEndpoints as spareOnFastify } from '../src/fastify-parsers.ts'
import { createApplication, moduleOf, PLATFORMS, platforms } from './platforms.ts'

/** What a start fails with if something is not there. */
const missing = (owner: string, kind: string, name: string) =>
  new TypeError(
    `WebhookModule cannot keep the body parsers away from deliveries: ${owner} has no ${kind} "${name}". ` +
      'It works with Nest 11 and 12 on Express 5 or Fastify 5: is another version installed, or an adapter in place of theirs?',
  )

const call = () => {}

describe('what is missing fails the start', () => {
  const route = { methods: {}, stack: [{ handle: call }] }
  const layer = { handle: call, match: call, route }
  const withLayer = (changes: object) => ({ router: { stack: [{ ...layer, ...changes }] } })
  const nameless = { ...route, methods: undefined }

  test.each([
    ["Express's router", 'object', 'stack', {}],
    ["a layer of Express's router", 'function', 'handle', withLayer({ handle: undefined })],
    ['a route of Express', 'object', 'methods', withLayer({ route: nameless })],
    [
      'a layer of a route of Express',
      'function',
      'handle',
      withLayer({ route: { ...route, stack: [{}] } }),
    ],
  ] as const)('%s without the %s "%s"', (owner, kind, name, instance) => {
    const adapter = { getInstance: () => instance }
    expect(() => spareOnExpress(adapter as unknown as ExpressAdapter)).toThrow(
      missing(owner, kind, name),
    )
  })

  test.each(['applyVersionFilter', 'getInstance'])(
    "Nest's adapter for Express without %s",
    (name) => {
      const adapter = { applyVersionFilter: call, [name]: undefined } as unknown as ExpressAdapter
      const prepare = () => {
        parseByVersion(adapter)
        spareOnExpress(adapter)
      }
      expect(prepare).toThrow(missing("Nest's adapter", 'function', name))
    },
  )

  test.each(['post', 'all', 'getInstance'])("Nest's adapter for Fastify without %s", (name) => {
    const adapter = { post: call, all: call, getInstance: () => ({}), [name]: undefined }
    expect(() => spareOnFastify(adapter as unknown as FastifyAdapter)).toThrow(
      missing("Nest's adapter", 'function', name),
    )
  })

  test("Fastify's instance without addHook, and nothing is wrapped", () => {
    const adapter = { post: call, all: call, getInstance: () => ({}) }
    expect(() => spareOnFastify(adapter as unknown as FastifyAdapter)).toThrow(
      missing("Fastify's instance", 'function', 'addHook'),
    )
    expect(adapter.post).toBe(call)
  })
})

const NEEDED = { express: 'applyVersionFilter', fastify: 'all' } as const

test.each(PLATFORMS)('an application on %s does not start', async (platform) => {
  const adapter = Object.assign(platforms[platform](), { [NEEDED[platform]]: undefined })
  const module = moduleOf({ imports: [WebhookModule.forRoot({ secret: 'whsec_nest' })] })
  const started = createApplication(platform, module, { adapter, configure: (app) => app.init() })
  await expect(started).rejects.toThrow(missing("Nest's adapter", 'function', NEEDED[platform]))
})
