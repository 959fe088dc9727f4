import { type Framework, TSX } from '../framework.ts'
import { mounted } from '../mounted.ts'

export const koa: Framework = {
  title: 'Koa',
  foundBy: ['koa'],
  packages: { run: ['koa'], develop: [...TSX, '@types/koa'] },
  middleware: {
    imports: [{ from: '@koa/router', default: 'Router' }],
    packages: ['@koa/router'],
    router: 'new Router()',
    takes: '(ctx)',
    delivery: 'ctx.state.delivery',
    ends: (status, body) => (body ? `ctx.body = ${body}` : `ctx.status = ${status}`),
    mount: (receive) => `app.use(${receive}.routes())`,
  },
  application(parts, layout) {
    return mounted(parts, layout, {
      adapter: 'koa',
      options: [`path: '${parts.service.path}'`],
      app: { imports: [{ from: 'koa', default: 'Koa' }], body: 'const app = new Koa()' },
      why: '// Before any body parser, which keeps the parsed body only.',
      mount: `app.use(${parts.receive})`,
      listen: 'app.listen(3000)',
    })
  },
}
