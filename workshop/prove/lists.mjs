// What there is of each kind, once. Tests, benchmarks, faults, the size limits and the site take their lists from here.

/** The frameworks whose adapter has both forms, and what an application on each installs besides the adapter. */
export const PEERS = {
  express: { express: '5', '@types/express': '5' },
  fastify: { fastify: '5' },
  hono: { hono: '4', '@hono/node-server': '2' },
  koa: { koa: '3', '@types/koa': '3' },
}

export const FRAMEWORKS = Object.keys(PEERS)

/** The adapters that no framework is a peer of. */
export const WITHOUT_PEER = ['node', 'aws-lambda']

/** The stores that have a package. */
export const STORES = ['redis', 'postgres', 'sqlite', 'dynamodb']

/** The examples that are a server by themselves. */
export const EXAMPLES = [...FRAMEWORKS, 'nestjs', 'opentelemetry', 'aws-lambda']

/** Whether only a part of the slow suites runs: in CI, which runs all of them once a week with EVERYTHING. */
export const PART = process.env.CI === 'true' && process.env.EVERYTHING === undefined
