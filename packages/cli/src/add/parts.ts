import type { Dialect, Import } from './code.ts'
import type { Service } from './service.ts'

/** What a framework's templates are filled with. */
export interface Parts {
  readonly service: Service
  /** What the receiver is called, such as `receiveStripe`. */
  readonly receive: string
  /** How the middleware form is written, where that was chosen. */
  readonly middleware: Middleware | undefined
  readonly dialect: Dialect
  /** Where the code runs, for frameworks that run in several places. */
  readonly runtime: Runtime
  /** Where the store is, if there is one. */
  readonly store: Import | undefined
  /** Where the inbox is, if deliveries go there. */
  readonly inbox: Import | undefined
}

/** Whether the receiver calls the handler and responds, or the application does both behind it. */
export type Form = 'handler' | 'middleware'

/** How the middleware form is written on a framework: docs/decisions/0002-two-forms.md. */
export interface Middleware {
  readonly imports: readonly Import[]
  readonly packages?: readonly string[]
  /** What makes the router that the file exports; absent where the file exports a plugin. */
  readonly router?: string
  /** The parameters of the handler, and where it finds the delivery. */
  readonly takes: string
  readonly delivery: string
  /** The last line of the handler: a status, or a body that the service waits for. */
  readonly ends: (status: number, body: string | undefined) => string
  /** The line that puts the route into an application. */
  readonly mount: (receive: string) => string
}

export type Runtime = 'node' | 'bun' | 'workers'

/** Where the file of a service is, in the folder of the sources. */
export function fileOf({ service }: Parts): string {
  return `webhooks/${service.name}`
}
