// What `webhook-receiver add` writes for a service: a committed page shows the files of the first framework, the site those of all.
import { load } from './services.mjs'

const { FRAMEWORKS, newProject, planFor } = await load('packages/cli/dist/add.js')

/** The route and, if the framework is none itself, the server, with what they need. */
export function serverOf(service) {
  const [first] = Object.keys(FRAMEWORKS)
  return partOf('server', service, first)
}

/** The server on each framework, of which a reader chooses one. */
export function serversOf(service) {
  return chooseOf('server', service)
}

/** The same for a test; nothing where a test cannot sign. */
export function testsOf(service) {
  if (service.application.signedBy === 'nobody') return ''
  return `## Test

${chooseOf('test', service)}

Pass your own body instead of \`undefined\`, or keep the sample above. [Testing](../guides/testing.md) has more.

`
}

function chooseOf(part, service) {
  const parts = Object.entries(FRAMEWORKS).map(
    ([name, { title }]) => `### ${title}\n\n${partOf(part, service, name)}`,
  )
  return `<!-- choose: framework -->\n\n${parts.join('\n\n')}\n\n<!-- end -->`
}

function partOf(part, { application }, framework) {
  const { files, installs } = planFor(application, newProject(framework, 'vitest'))
  const shown = Object.entries(files).filter(([name]) => name.endsWith('.ts'))
  const isTest = ([name]) => name.includes('.test.')
  const blocks = shown
    .filter((file) => isTest(file) === (part === 'test'))
    .map(([name, text]) => fence(`ts [${name}]`, text.trim()))
  const [install] = installs.map((words) => words.join(' ').replaceAll(/(?<=\w)@[\d.]+/g, ''))
  return [...(part === 'test' ? [] : [fence('sh', install)]), ...blocks].join('\n\n')
}

function fence(info, text) {
  return `\`\`\`${info}\n${text}\n\`\`\``
}
