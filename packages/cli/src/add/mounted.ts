import type { Code, Import } from './code.ts'
import type { Application, Layout, TestedApplication } from './framework.ts'
import { middlewareRoute } from './middleware.ts'
import { fileOf, type Parts } from './parts.ts'
import { methodOf, receiver } from './receiver.ts'

/** An application that a framework makes, with a line that puts the receiver on its path. */
interface Mounted {
  readonly adapter: string
  readonly secret?: string
  readonly types?: readonly Import[]
  readonly options?: readonly string[]
  readonly app: Code
  /** What makes a router in the middleware form, if that depends on the application. */
  readonly router?: string
  /** A comment on where the line belongs, and the line. */
  readonly why?: string
  readonly mount: string
  readonly listen: string
  readonly listenImports?: readonly Import[]
  readonly test?: Partial<TestedApplication>
}

export function mounted(parts: Parts, { root }: Layout, given: Mounted): Application {
  const { adapter, app, listen, listenImports = [], types = [] } = given
  const { receive, middleware } = parts
  const { code, mount, packages } = middleware
    ? middlewareRoute(parts, middleware, given)
    : handlerRoute(parts, given)
  const line = given.why ? `${given.why}\n${mount}` : mount
  const own = { from: `./${fileOf(parts)}`, names: [receive] }
  const isOneCall = adapter === 'node'
  return {
    adapter,
    ...(packages && { packages }),
    route: {
      path: `${root}${fileOf(parts)}`,
      code: { ...code, imports: [...code.imports, ...types] },
    },
    mount: {
      where: 'the file of your application',
      code: { imports: [own], body: line },
    },
    server: {
      path: `${root}server`,
      code: {
        imports: [...app.imports, ...listenImports, own],
        body: [app.body, ...(isOneCall ? [] : [line]), listen].join('\n\n'),
      },
    },
    test: {
      ...(isOneCall ? {} : { imports: app.imports, before: `${app.body}\n${line}\n` }),
      exported: receive,
      target: 'app',
      ...given.test,
    },
  }
}

function handlerRoute(parts: Parts, given: Mounted) {
  const { imports, before, call } = receiver(parts, given.adapter, given)
  return {
    code: { imports, body: `${before}export const ${parts.receive} = ${call}` },
    mount: given.mount,
    packages: undefined,
  }
}

/** The line of a framework whose applications have a function for each method. */
export function posted({ service, receive }: Parts): string {
  return `app.${methodOf(service)}('${service.path}', ${receive})`
}
