import { indented } from '../code.ts'
import { type Framework, TSX } from '../framework.ts'
import { mounted } from '../mounted.ts'

export const node: Framework = {
  title: 'Node.js',
  foundBy: ['@webhook-receiver/node'],
  packages: { run: [], develop: TSX },
  application(parts, layout) {
    const { receive, service } = parts
    const route = `if (request.url?.split('?', 1)[0] === '${service.path}') {
  return ${receive}(request, response)
}`
    const server = `// Without this limit, Node waits five minutes for a slow request.
const options = { requestTimeout: 15_000 }

const server = createServer(options, (request, response) => {
${indented(route)}
  return response.writeHead(404).end()
})`
    return mounted(parts, layout, {
      adapter: 'node',
      app: { imports: [{ from: 'node:http', names: ['createServer'] }], body: server },
      why: '// In the function of createServer, before it responds with 404.',
      mount: route,
      listen: 'server.listen(3000)',
      test: { target: receive },
    })
  },
}
