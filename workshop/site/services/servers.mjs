// The server of a service, as `webhook-receiver add` writes it: a committed page shows one file on the first framework, the site the files of all.
import { codeBlocks } from '../../prove/documents/code-blocks.mjs'
import { sectionOf } from '../../prove/documents/start-page.mjs'
import { SITE } from '../sources.mjs'
import { fence, listed, paragraphs } from './markdown.mjs'
import { actionOf } from './opening.mjs'
import { load } from './services.mjs'
import { installOf, startOf } from './start-command.mjs'
import { tryIt } from './try-it.mjs'

const { FRAMEWORKS, newProject, oneFileFor, planFor } = await load('packages/cli/dist/add.js')
export const ALL = Object.keys(FRAMEWORKS)
const [FIRST] = ALL

/** What is installed, the server, and a delivery to try it with. */
export function serverOf(service) {
  const { title } = FRAMEWORKS[FIRST]
  const code = oneFileFor(service.application, newProject(FIRST, 'vitest'))
  return paragraphs(
    `${commandText(service)} into your project${withTest(service)}. By hand, on ${title} ([other frameworks](${SITE}/services/${service.name}#server)); in your own project, skip the first line:`,
    fence('sh', installOf(title, service)),
    fence('ts [server.ts]', code.trim()),
    perAction(service),
    tryIt(service),
  )
}

/** On the site: the server on each framework, of which a reader chooses one, and what it is sent. */
export function serversOf(service, frameworks) {
  return paragraphs(
    `${commandText(service)} into your project${withTest(service)}:`,
    chooseOf('server', service, frameworks),
    perAction(service),
    tryIt(service, true),
  )
}

/** On the site, where it is on each framework. Where nobody else can sign, there is none. */
export function testsOf(service, frameworks) {
  const { hasSamples, signedBy } = service.application
  if (signedBy === 'nobody') return ''
  return paragraphs(
    '## Test',
    fence('sh', 'npm install --save-dev vitest'),
    chooseOf('test', service, frameworks),
    `${hasSamples ? 'The sample is the body above. ' : ''}[Testing](../guides/testing.md) has more.`,
  )
}

function commandText({ name }) {
  return `\`npx webhook-receiver add ${name}\` writes the route`
}

function perAction(service) {
  const action = actionOf(service)
  return (
    action &&
    `A function can be for [one action](../guides/schemes.md#events-with-actions), such as \`'${action}'\`.`
  )
}

/** What `add` writes beside the route. Where a store has to be told what a copy is, nobody should forget it. */
function withTest({ application: { signedBy, duplicates, alike, reply } }) {
  const test = signedBy === 'nobody' ? '' : ', with a test'
  return duplicates && !alike && !reply
    ? `${test}; \`--store postgres\` adds a store and \`duplicates\``
    : test
}

function chooseOf(part, service, frameworks) {
  const parts = frameworks.map(
    (name) => `### ${FRAMEWORKS[name].title}\n\n${partOf(part, service, name)}`,
  )
  return `<!-- choose: framework -->\n\n${parts.join('\n\n')}\n\n<!-- end -->`
}

/** What writes the server on a framework, by its title. */
export function addCommand(title, name) {
  return `npx webhook-receiver add ${name} --framework ${frameworkOf(title)}`
}

/** The files of the server on a framework, by its title, and the one of them that is started, if the framework has no program for that. */
export function serverOn(title, service) {
  const framework = frameworkOf(title)
  const { main } = planOn(framework, service)
  return { main, files: blocksOf('server', service, framework).join('\n\n') }
}

/** The route in the Pages Router of Next.js. */
export function pagesRouterOf({ application }) {
  const project = newProject('next', 'vitest')
  const layout = { ...project.layout, hasPagesOnly: true }
  const { files } = planFor(application, { ...project, layout })
  const [[file, route]] = Object.entries(files)
  return fence(`ts [${file}]`, route.trim())
}

function frameworkOf(title) {
  return ALL.find((name) => FRAMEWORKS[name].title === title)
}

function planOn(framework, { application }) {
  const runner = FRAMEWORKS[framework].isDeno ? 'deno' : 'vitest'
  return planFor(application, newProject(framework, runner))
}

function partOf(part, service, framework) {
  const { installs, main, next } = planOn(framework, service)
  const [install] = installs.map((words) => words.join(' ').replaceAll(/(?<=\w)@[\d.]+/g, ''))
  const blocks = blocksOf(part, service, framework)
  if (part === 'test')
    return paragraphs(
      FRAMEWORKS[framework].isDeno && `Deno runs it without Vitest:\n\n${fence('sh', next.test)}`,
      ...blocks,
    )
  return paragraphs(
    fence('sh', install),
    ...blocks,
    settings(framework),
    started(service, framework, main),
  )
}

/** What the code needs of a project besides packages, where the first steps have it. */
function settings(framework) {
  const { title } = FRAMEWORKS[framework]
  const blocks = codeBlocks(sectionOf(title)).filter(({ language }) => language === 'json')
  const files = blocks.map(({ file }) => `\`${file}\``)
  return (
    files.length > 0 &&
    `A new project also needs \`"type": "module"\` and ${listed(files)}: [the first steps](../start.md#${framework}) have both.`
  )
}

function started(service, framework, main) {
  const { title, application, hasPair } = service
  const start = startOf(FRAMEWORKS[framework].title, service, main)
  const made = hasPair
    ? `Only ${title} has the key that signs, so start it with a made-up pair of keys:`
    : 'Start it with a made-up secret:'
  return paragraphs(
    application.signedBy === 'nobody' ? 'Start it:' : made,
    // It may not be installed.
    fence('sh', start.replace('npx tsx', 'npx -y tsx')),
  )
}

function blocksOf(part, service, framework) {
  const { files } = planOn(framework, service)
  const shown = Object.entries(files).filter(([name]) => name.endsWith('.ts'))
  const isTest = ([name]) => /\.(?:test|spec)\.ts$/.test(name)
  return shown
    .filter((file) => isTest(file) === (part === 'test'))
    .map(([name, text]) => fence(`ts [${name}]`, text.trim()))
}
