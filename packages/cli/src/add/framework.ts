import type { Code, Import } from './code.ts'
import type { Middleware, Parts } from './parts.ts'
import type { Variable } from './variables.ts'

/** Packages that an application needs besides ours: to run, and to develop in TypeScript. */
export interface Packages {
  readonly run: readonly string[]
  readonly develop: readonly string[]
}

/** What runs and checks TypeScript on Node. */
export const TSX: readonly string[] = ['tsx', 'typescript', '@types/node']

/** A file that the routes of all services share, such as that of the store. */
export interface Shared {
  readonly packages: Packages
  readonly code: Code
  readonly variables: readonly Variable[]
}

/** The folders of a project that say where a route belongs. */
export interface Layout {
  /** `src/`, or nothing. */
  readonly root: string
  /** Whether Next.js finds its routes in `pages`. */
  readonly hasPagesOnly: boolean
  /** What NestJS runs on. */
  readonly platform: 'express' | 'fastify'
}

/** An application on one framework that receives from one service. */
export interface Application {
  /** The package of ours that it imports. */
  readonly adapter: string
  /** What it needs besides that and the framework. */
  readonly packages?: Packages
  /** The new file, and what it exports that a test needs. Paths have no ending. */
  readonly route: { readonly path: string; readonly code: Code }
  /** What belongs into an existing file; absent where the framework finds the route by its path. */
  readonly mount?: { readonly code: Code; readonly where: string }
  /** The server of a new project. Absent where the framework is one. */
  readonly server?: { readonly path: string; readonly code: Code }
  /** Where tests are, if not beside the route: in some folders, each file is a route. */
  readonly testFolder?: string
  readonly test: TestedApplication
}

/** How a test reaches the route. */
export interface TestedApplication {
  readonly imports?: readonly Import[]
  /** What the test takes from the module of the route. */
  readonly exported: string
  /** What has to be there before the route is loaded. */
  readonly first?: { readonly why: string; readonly code: string }
  /** What makes the application, if the route is none. */
  readonly before?: string
  /** The application as an expression. */
  readonly target: string
  /** What is done when the response is there. */
  readonly after?: string
  /** Whether the secret comes with each request, and not from the environment. */
  readonly hasBindings?: boolean
}

export interface Framework {
  readonly title: string
  /** Other names under which somebody may look for it. */
  readonly aliases?: readonly string[]
  /** Packages of which a `package.json` has one. */
  readonly foundBy: readonly string[]
  readonly packages: Packages
  readonly application: (parts: Parts, layout: Layout) => Application
  /** Present where the adapter has this form. */
  readonly middleware?: Middleware
  /** The languages that it can be written in; both by default. */
  readonly onlyTypeScript?: true
  /** Whether its own compiler resolves imports, so that files are always ES modules. */
  readonly isBundled?: true
  /** Whether it imports files by their real ending, and has a deno.json in place of a package.json. */
  readonly isDeno?: true
  /** What starts a new project; tsx by default. */
  readonly start?: string
  /** Whether its server puts what is in `.env` into the environment by itself. */
  readonly readsEnvFile?: true
  /** Files that a new project needs besides, and options of its compiler. */
  readonly settings?: Readonly<Record<string, string>>
  readonly compiler?: object
  /** Where a store or an inbox is, as the route imports it. Default: beside the route. */
  readonly sharedFolder?: (layout: Layout) => string
  /** Where the worker of an inbox runs, if the server may be a function. */
  readonly workerRuns?: string
}
