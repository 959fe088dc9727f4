import { spawnSync } from 'node:child_process'

/** The scheme of each contender besides the usual three, by framework. */
const LIBRARIES = {
  express: {
    line: 'line',
    octokit: 'github',
    stripe: 'stripe',
    svix: 'standard',
    standardwebhooks: 'standard',
    tern: 'stripe',
  },
  fastify: {},
  hono: {},
  koa: {},
  node: { listeners: 'none', octokit: 'github', slack: 'slack' },
}

/** Two of the floor: what lies between them is what the machine adds by itself. */
const USUAL = { floor: 'none', 'floor again': 'none', ours: 'ours', 'hand-written': 'ours' }

export const FRAMEWORKS = Object.keys(LIBRARIES)

/** What is measured on a framework, as { name, file, scheme }, as far as it loads on that Node. */
export function contendersOn(framework, node) {
  const { [framework]: libraries } = LIBRARIES
  return Object.entries({ ...USUAL, ...libraries })
    .map(([name, scheme]) => {
      const file = name === 'floor again' ? 'floor' : name
      return { name, scheme, file: `./servers/${framework}/${file}.mjs` }
    })
    .filter(({ name, file }) => !Object.hasOwn(libraries, name) || loads(file, node))
}

/** Some libraries ask for a newer Node than we do. */
function loads(file, node) {
  const url = new URL(file, import.meta.url)
  return spawnSync(node, ['--input-type=module', '--eval', `import '${url}'`]).status === 0
}
