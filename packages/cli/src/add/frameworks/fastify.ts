import { type Framework, TSX } from '../framework.ts'
import { mounted } from '../mounted.ts'

export const fastify: Framework = {
  title: 'Fastify',
  foundBy: ['fastify'],
  packages: { run: ['fastify'], develop: TSX },
  middleware: {
    imports: [{ from: 'fastify', types: ['FastifyPluginAsync'] }],
    takes: 'async (request, reply)',
    delivery: 'request.delivery',
    ends: (status, body) => `return ${body ?? `reply.code(${status}).send()`}`,
    mount: (receive) => `app.register(${receive})`,
  },
  application(parts, layout) {
    const mount = `app.register(${parts.receive})`
    return mounted(parts, layout, {
      adapter: 'fastify',
      options: [`url: '${parts.service.path}'`],
      app: {
        imports: [{ from: 'fastify', default: 'Fastify' }],
        body: `// Without these limits, Fastify waits forever for a slow request.
const limits = { requestTimeout: 15_000, http: { headersTimeout: 15_000 } }
const app = Fastify(limits)`,
      },
      mount,
      listen: 'app.listen({ port: 3000 })',
      test: { before: `const app = Fastify()\n${mount}\n` },
    })
  },
}
