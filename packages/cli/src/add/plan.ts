import { basename, dirname, join } from 'node:path/posix'
import { printed } from './code.ts'
import { installsOf, type Next, nextOf } from './commands.ts'
import type { Application, Framework, Packages, Shared } from './framework.ts'
import { FRAMEWORKS } from './frameworks/index.ts'
import { entryOf, inboxOf, WORKER } from './inbox.ts'
import { newFiles } from './new-project.ts'
import type { Form, Parts } from './parts.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import { STORES, type StoreName } from './stores.ts'
import { testOf } from './test-file.ts'
import { type Variable, variablesOf } from './variables.ts'

/** All that is done to a project. */
export interface Plan {
  /** The text of each new file, by its path. */
  readonly files: Readonly<Record<string, string>>
  /** What belongs into an existing file. */
  readonly lines: { readonly where: string; readonly text: string } | undefined
  /** The server that a new project has. */
  readonly main: string | undefined
  /** What one more service adds to an inbox that is there already. */
  readonly service?: { readonly path: string; readonly text: string }
  readonly variables: readonly Variable[]
  /** Where the variables are kept, such as `.env`. */
  readonly envFile: string
  /** The files of the service, the package of ours that both import, and the store or the inbox that they use. */
  readonly own: {
    readonly paths: readonly string[]
    readonly adapter: string
    readonly uses: 'store' | 'inbox' | undefined
  }
  /** The commands that install what is missing. */
  readonly installs: readonly (readonly string[])[]
  readonly next: Next
}

/** What remembers deliveries: a store, or an inbox that keeps them, too. */
export type Kept = StoreName | 'inbox' | undefined

export function planFor(
  given: Service,
  project: Project,
  { kept, form = 'handler' }: { readonly kept?: Kept; readonly form?: Form } = {},
): Plan {
  const framework: Framework = FRAMEWORKS[project.framework]
  const { dialect, layout, runner, isNew } = project
  const isApi = project.framework === 'next' && layout.hasPagesOnly
  const service = isApi ? { ...given, path: `/api${given.path}` } : given
  const hasInbox = kept === 'inbox'
  const file = hasInbox ? 'inbox' : 'store'
  const shared: Shared | undefined = hasInbox ? inboxOf({ service, dialect }) : kept && STORES[kept]
  const folder = framework.sharedFolder?.(layout) ?? '.'
  const parts: Parts = {
    ...{ service, receive: nameOf(service), dialect, runtime: project.runtime },
    middleware: form === 'middleware' ? framework.middleware : undefined,
    store: undefined,
    inbox: undefined,
    ...(shared && { [file]: { from: `${folder}/${file}`, names: [file] } }),
  }
  const application = framework.application(parts, layout)
  const { route, mount, server } = application
  const ending = `.${dialect.language}`
  const test = testPathOf(application, project)
  const main = server && server.path + ending
  const files = new Map([[route.path + ending, printed(route.code, dialect)]])
  const isTested = service.signedBy !== 'nobody'
  if (isTested) {
    const code = testOf(parts, application, { path: test, runner })
    files.set(test + ending, printed(code, dialect))
  }
  const pathOf = (name: string) => join(dirname(route.path), folder, name + ending)
  if (shared) files.set(pathOf(file), printed(shared.code, dialect))
  if (hasInbox) files.set(pathOf('worker'), printed(WORKER, dialect))
  if (isNew)
    for (const [path, text] of newFiles(framework, application, project, test + ending))
      files.set(path, text)
  const envFile = project.runtime === 'workers' ? '.dev.vars' : '.env'
  return {
    files: Object.fromEntries(files),
    lines: mount && {
      where: isNew && main && mount.code.imports.length > 0 ? main : mount.where,
      text: printed(mount.code, dialect).trim(),
    },
    main,
    variables: [...variablesOf(service), ...(shared?.variables ?? [])],
    ...(hasInbox && {
      service: { path: pathOf(file), text: printed(entryOf(parts), dialect).trim() },
    }),
    envFile,
    own: {
      paths: [route.path + ending, test + ending],
      adapter: `@webhook-receiver/${application.adapter}`,
      uses: shared && file,
    },
    installs: installsOf(project, framework, [
      ours(application.adapter),
      ...(application.packages ? [application.packages] : []),
      { run: service.packages, develop: [] },
      ...(shared ? [shared.packages] : []),
      ...(isTested && runner === 'node' && dialect.language === 'ts' ? [testing(isNew)] : []),
    ]),
    next: nextOf(service, project, {
      envFile,
      route: route.path + ending,
      test: isTested ? test + ending : undefined,
      worker: hasInbox ? pathOf('worker') : undefined,
      hasStore: shared !== undefined,
    }),
  }
}

/** The server of a new project with the route in it: one file, for a page to show. */
export function oneFileFor(
  service: Service,
  { framework, dialect, layout, runtime }: Project,
): string {
  const parts: Parts = {
    ...{ service, receive: nameOf(service), dialect, runtime },
    ...{ middleware: undefined, store: undefined, inbox: undefined },
  }
  const { route, server } = FRAMEWORKS[framework].application(parts, layout)
  if (!server) throw new Error(`${FRAMEWORKS[framework].title} finds its routes by their paths.`)
  const imports = server.code.imports.filter(({ from }) => !from.startsWith('.'))
  const code = {
    imports: [...route.code.imports, ...imports],
    body: `${route.code.body.replace(/^export /m, '')}\n\n${server.code.body}`,
  }
  return printed(code, dialect)
}

/** `receiveStripe`. */
export function nameOf({ name }: Service): string {
  return `receive${name.replaceAll(/(?:^|\W)(\w)/g, (_, letter) => letter.toUpperCase())}`
}

/** Beside the route, unless the framework takes every file there for a route. */
function testPathOf({ route, testFolder }: Application, { framework, runner }: Project): string {
  const ending = framework === 'nestjs' && runner !== 'node' ? 'spec' : 'test'
  const name = basename(route.path).replace('+', '')
  return `${join(testFolder ?? dirname(route.path), name)}.${ending}`
}

/** `npm test` of a new project needs what runs its tests; elsewhere, npx fetches that. */
function testing(isNew: boolean): Packages {
  return { run: [], develop: ['@types/node', ...(isNew ? ['tsx'] : [])] }
}

function ours(name: string): Packages {
  return { run: [`@webhook-receiver/${name}`], develop: [] }
}
