import { spawnSync } from 'node:child_process'
import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { responseBody } from '@webhook-receiver/core/adapter'
import { SECRET } from '../signatures.mjs'

/** The framework's own JSON parser, which verifies nothing. It gets the same bytes; everything is compared with it. */
export const BASELINE = 'JSON parser'

/** The baseline a second time: the difference is what the machine adds. */
export const CONTROL = 'JSON parser again'

/** The baseline and the two hashes that an HMAC takes. A verification cannot take less. */
export const LEAST = 'JSON parser and two hashes'

export const RECEIVER = 'webhook-receiver'

/** The receiver with an application that responds with a body, as rejections have one. */
export const WITH_BODY = 'webhook-receiver, with a body'

/** The body of a rejection. */
export const BODY = JSON.parse(responseBody(401))

export const PLAIN = 'plain node:crypto'

/** On every framework: the name, and the scheme that its requests are signed with. */
const USUAL = {
  [BASELINE]: 'own',
  [CONTROL]: 'own',
  [LEAST]: 'own',
  [RECEIVER]: 'own',
  [PLAIN]: 'own',
}

/** Whether a subject rejects a forged request. */
export function verifies(name) {
  return ![BASELINE, CONTROL, LEAST, 'bare listeners'].includes(name)
}

/** Alternatives, by framework. */
const LIBRARIES = {
  express: {
    line: 'line',
    octokit: 'github',
    stripe: 'stripe',
    svix: 'standard',
    standardwebhooks: 'standard',
    tern: 'stripe',
  },
  node: { 'bare listeners': 'own', octokit: 'github', slack: 'slack' },
}

export const SERVERS = [...FRAMEWORKS, 'node']

/** What is measured on a framework, as far as it loads on that Node; `verifies` is false for what takes any request. */
export function subjectsOn(framework, node) {
  const { [framework]: libraries = {} } = LIBRARIES
  return Object.entries({ ...USUAL, ...libraries })
    .map(([name, scheme]) => {
      const server = name === CONTROL ? BASELINE : name
      return { framework, name, server, scheme, verifies: verifies(name) }
    })
    .filter((subject) => !Object.hasOwn(libraries, subject.name) || loads(subject, node))
}

/** Some libraries need a newer Node. */
function loads({ framework, server }, node) {
  const url = new URL(`./servers/${framework}.mjs`, import.meta.url)
  const program = `import { servers } from '${url}'; await servers['${server}']('${SECRET}', () => {}); process.exit()`
  return spawnSync(node, ['--input-type=module', '--eval', program]).status === 0
}
