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

const imported = (name) => `'@webhook-receiver/${name}'`

/**
 * Which files name every one of a kind, and what each says of a name. A test compares them; `npm run new` writes or shows them.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, (name: string) => string>>>>}
 */
export const LISTED_IN = {
  package: {
    // Until the first release.
    '.changeset/first-release.md': (name) => `${name}": minor`,
    'docs/reference/packages.md': (name) =>
      `(../../packages/${name === 'webhook-receiver' ? 'cli' : name})`,
    'package.json': (name) => `${name}": "workspace:*"`,
  },
  adapter: {
    'README.md': (name) => `(packages/${name})`,
    'docs/start.md': imported,
    'packages/cli/src/add/frameworks/index.ts': (name) => `| '${name}'`,
    'docs/reference/command-line.md': (name) => `\`${name}\``,
    'packages/schemes/skill/SKILL.md': (name) => `| \`${name}\` |`,
  },
  framework: {
    'packages/cli/src/add/frameworks/index.ts': (name) => `'./${name}.ts'`,
    'workshop/break/applications.mjs': (name) => `\n  ${name}: {`,
    'workshop/break/package.json': (name) => `${name}": "workspace:*"`,
    'workshop/prove/lists.mjs': (name) => `\n  ${name}: { `,
    'docs/guides/body-parsers.md': (name) => `\n| ${name} |`,
    'docs/guides/testing.md': (name) => `\`${name}\``,
    'docs/guides/types.md': (name) => `\n| ${name} |`,
  },
  store: {
    '.size-limit.js': (name) => `\n    ${name}: `,
    'biome.json': (name) => `"packages/${name}/src/**"`,
    'docs/reference/stores.md': (name) => `(../../packages/${name})`,
    'docs/reference/command-line.md': (name) => `\`${name}\``,
    'packages/cli/src/add/stores.ts': (name) => `\n  ${name}: {`,
    'packages/schemes/skill/SKILL.md': (name) => `| \`${name}\` |`,
    'workshop/break/package.json': (name) => `${name}": "workspace:*"`,
    'workshop/break/faults/scenarios/stores.mjs': (name) => `'${name}'`,
    'workshop/break/faults/engine/open-store.mjs': imported,
    'workshop/break/faults/recipes/list.mjs': (name) => `packages/${name}/README.md`,
    'workshop/break/test/marks.test.ts': imported,
  },
  service: {
    'packages/schemes/src/index.ts': (name) => `'./services/${name}.ts'`,
    'workshop/prove/judges/reference.json': (name) => `"${name}": `,
    'workshop/site/services/groups.json': (name) => `"${name}"`,
    'workshop/prove/judges/sdks.mjs': (name) => `\n  ${name.includes('-') ? `'${name}'` : name}: `,
  },
}

/** The examples that are a server by themselves. */
export const EXAMPLES = [...FRAMEWORKS, 'nestjs', 'opentelemetry', 'aws-lambda']

/** Whether only a part of the slow suites runs: in CI, which runs all of them once a week with EVERYTHING. */
export const PART = process.env.CI === 'true' && process.env.EVERYTHING === undefined
