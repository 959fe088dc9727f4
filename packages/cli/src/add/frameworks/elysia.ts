import { list } from '../code.ts'
import type { Framework } from '../framework.ts'
import { mounted } from '../mounted.ts'
import { methodOf } from '../receiver.ts'

export const elysia: Framework = {
  title: 'Elysia',
  foundBy: ['elysia'],
  packages: { run: ['elysia'], develop: ['@types/bun', 'typescript'] },
  start: 'bun server.ts',
  readsEnvFile: true,
  compiler: { module: 'preserve', types: ['bun'] },
  application(parts, layout) {
    const { receive, service } = parts
    const args = [`'${service.path}'`, `({ request }) => ${receive}(request)`, "{ parse: 'none' }"]
    return mounted(parts, layout, {
      adapter: 'core',
      app: { imports: [{ from: 'elysia', names: ['Elysia'] }], body: 'const app = new Elysia()' },
      mount: `// Without parse: 'none', Elysia parses the body, and the status is 500.
${list([`app.${methodOf(service)}(`, ')'], args, 74)}`,
      listen: 'app.listen(3000)',
    })
  },
}
