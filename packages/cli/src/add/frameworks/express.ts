import { type Framework, TSX } from '../framework.ts'
import { mounted, posted } from '../mounted.ts'

export const express: Framework = {
  title: 'Express',
  foundBy: ['express'],
  packages: { run: ['express'], develop: [...TSX, '@types/express'] },
  middleware: {
    imports: [{ from: 'express', names: ['Router'] }],
    router: 'Router()',
    takes: '(req, res)',
    delivery: 'req.delivery',
    ends: (status, body) => (body ? `res.json(${body})` : `res.status(${status}).end()`),
    mount: (receive) => `app.use(${receive})`,
  },
  application(parts, layout) {
    const app = {
      imports: [{ from: 'express', default: 'express' }],
      body: 'const app = express()',
    }
    return mounted(parts, layout, {
      adapter: 'express',
      app,
      why: `// Above app.use(express.${parts.service.parser}()), which keeps the parsed body only.`,
      mount: posted(parts),
      listen: 'app.listen(3000)',
    })
  },
}
