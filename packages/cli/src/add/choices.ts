import { UsageError } from '../console/index.ts'
import { FRAMEWORKS, WITH_MIDDLEWARE } from './frameworks/index.ts'
import type { Form } from './parts.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import { NOT_ON_WORKERS, type StoreName } from './stores.ts'

const LIST = new Intl.ListFormat('en-GB')

/** What somebody asks for besides a route. */
interface Choices {
  readonly store?: StoreName | undefined
  readonly inbox?: true | undefined
  readonly form: Form
}

/** @throws UsageError for what excludes one another, or has no use for the service. */
export function checkChoices(
  { store, inbox, form }: Choices,
  { title, reply, alike }: Service,
): void {
  if (inbox && store)
    throw new UsageError('Leave out --store: an inbox recognises copies by itself.')
  const kept = inbox ? 'inbox' : store && 'store'
  if (kept && reply !== undefined)
    throw new UsageError(
      `Leave out --${kept}: ${title} acts on each response, and ${inbox ? 'a worker decides too late' : 'a duplicate would get an empty one'}.`,
    )
  if (kept && alike !== undefined)
    throw new UsageError(`Leave out --${kept}: at ${title}, ${alike}.`)
  if (kept && form === 'middleware')
    throw new UsageError(
      `Leave out --${kept} or --form: in the middleware form your own code responds, and the ${kept} is not told whether it succeeded.`,
    )
}

/** @throws UsageError for what does not work in the project. */
export function checkFit(
  { store, inbox, form }: Choices,
  { framework, runtime }: Pick<Project, 'framework' | 'runtime'>,
): void {
  if (form === 'middleware' && !WITH_MIDDLEWARE.includes(framework)) {
    const titles = Object.values(FRAMEWORKS).flatMap((each) => (each.middleware ? each.title : []))
    throw new UsageError(
      `Leave out --form: ${FRAMEWORKS[framework].title} has no middleware form: only ${LIST.format(titles)} have.`,
    )
  }
  const kept = inbox ? 'inbox' : store
  const isWorker = runtime === 'workers' || framework === 'workers'
  if (isWorker && kept && NOT_ON_WORKERS.includes(kept))
    throw new UsageError(
      `Use --store upstash instead of --${inbox ? 'inbox' : `store ${store}`}: a Worker cannot keep a connection from one request to the next.`,
    )
}
