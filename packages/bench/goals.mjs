/**
 * What the receiver is meant to reach, each declared here and nowhere else. A figure meets its goal at
 * the limit or below it; with `atLeast`, at the limit or above.
 */
const GOALS = [
  { id: 'mac', limit: 0.6, statement: 'The MAC against the textbook’s, up to 1 KiB' },
  {
    id: 'verdict-small',
    limit: 0.75,
    statement: 'The whole verdict without the parse against the textbook, up to 1 KiB',
  },
  { id: 'verdict', limit: 1.05, statement: 'The same at every size' },
  {
    id: 'receive',
    limit: 1,
    statement:
      '`receive()` against the textbook and JSON.parse, message-shaped bodies of every size',
  },
  {
    id: 'nearest-library',
    limit: 1.5,
    atLeast: true,
    statement: 'Times as fast as the nearest library for the same work, up to 1 KiB',
  },
  {
    id: 'other-libraries',
    limit: 2,
    atLeast: true,
    statement: 'Times as fast as every other library for the same work, up to 1 KiB',
  },
  { id: 'http-express', limit: 1.05, statement: 'Express: CPU per request over the floor, 600 B' },
  { id: 'http-koa', limit: 1, statement: 'Koa: CPU per request over the floor, 600 B' },
  { id: 'http-node', limit: 1.15, statement: 'Plain Node: CPU per request over the floor, 600 B' },
  { id: 'http-fastify', limit: 1.25, statement: 'Fastify: CPU per request over the floor, 600 B' },
  { id: 'http-hono', limit: 1.4, statement: 'Hono: CPU per request over the floor, 600 B' },
  {
    id: 'http-64k',
    limit: 1.1,
    statement: 'CPU per request over the floor, 64 KiB, every framework',
  },
  {
    id: 'http-hand-written',
    limit: 0.85,
    statement: 'CPU per request against the hand-written middleware',
  },
  {
    id: 'http-libraries',
    limit: 0.7,
    statement: 'CPU per request against LINE, octokit, stripe and svix',
  },
  { id: 'http-tern', limit: 0.35, statement: 'CPU per request against tern' },
  { id: 'http-p99', limit: 1, statement: 'p99 against the upper quartile of the floor’s' },
  { id: 'refusal', limit: 1, statement: 'CPU of an unsigned request against a genuine one' },
  {
    id: 'flood',
    limit: 1.1,
    statement:
      'Memory in a flood of refused 1 MiB uploads, the last third of the waves against the second',
  },
  // The slope of the cost of all together where both axes are logarithmic. 2 is quadratic; caches that are missed take some of the rest.
  {
    id: 'growth-size',
    limit: 1.1,
    statement:
      'Slope of receive() over the size of the body, 1 being the textbook’s with JSON.parse',
  },
  { id: 'growth-secrets', limit: 1.2, statement: 'Slope over the secrets in rotation' },
  { id: 'growth-tenants', limit: 1.2, statement: 'Slope over the tenants of a secret function' },
  { id: 'growth-schemas', limit: 1.2, statement: 'Slope over the schemas' },
  { id: 'growth-ids', limit: 1.2, statement: 'Slope over the ids in the memory store' },
  {
    id: 'growth-memory-tenants',
    limit: 1.2,
    statement: 'Heap held for 100,000 tenants by that for 10,000',
  },
  { id: 'growth-memory-ids', limit: 300, statement: 'Bytes of heap for each of 1,000,000 ids' },
]

/**
 * Puts the figures of a run to their goals.
 *
 * @param {readonly { id: string, figure: number, spread: readonly [number, number], where?: string, noisy?: boolean }[]} figures
 * @returns {{ id: string, statement: string, limit: string, where: string, figure: number, spread: readonly number[], outcome: 'met' | 'missed' | 'too noisy' }[]}
 */
export function judge(figures) {
  const unknown = figures.find(({ id }) => !GOALS.some((goal) => goal.id === id))
  if (unknown) throw new TypeError(`There is no goal ${JSON.stringify(unknown.id)} in goals.mjs.`)
  return GOALS.flatMap(({ id, statement, limit, atLeast = false }) =>
    figures
      .filter((found) => found.id === id)
      .map(({ figure, spread = [figure, figure], where = '', noisy = false }) => {
        const met = atLeast ? figure >= limit : figure <= limit
        return {
          id,
          statement,
          limit: `${atLeast ? '≥' : '≤'} ${limit}`,
          where,
          figure,
          spread,
          outcome: noisy ? 'too noisy' : met ? 'met' : 'missed',
        }
      }),
  )
}
