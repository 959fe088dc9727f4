// From nothing to a first delivery of a service on a framework: what docs/start.md says of the framework, with the server of the service.
import { codeBlocks } from '../../prove/documents/code-blocks.mjs'
import { FORGED } from '../../prove/documents/start-page.mjs'
import { fence, paragraphs } from './markdown.mjs'
import { secretHeading } from './opening.mjs'
import { addCommand, pagesRouterOf, serverOn } from './servers.mjs'
import { own } from './services.mjs'
import { installOf, startOf } from './start-command.mjs'
import { idOf, sendCommand, sending } from './try-it.mjs'

/** How it begins, and the five steps, to copy with a made-up secret. `section` is that of docs/start.md for the framework. */
export function firstSteps(service, title, section) {
  const { name, file, application, endpoint = name, hasPair, requests } = service
  const { main, files } = serverOn(title, service)
  const { notes } = partsOf(section)
  // Before the cause, the line says what else the headers show.
  const isSaid = requests?.others?.some(({ header }) => header && file.headers?.[header])
  const changed = FORGED.replace(/^```sh$.*?^```$/ms, () =>
    fence('sh', sendCommand(service, '--tamper body')),
  )
    .replace(' at stripe', ` at ${endpoint}`)
    .replace(/(?<=:\n {2})/, isSaid ? '… ' : '')
  return [
    fence('sh', addCommand(title, name)),
    inFolder(fence('sh', installOf(title, service))),
    paragraphs(
      ...blocksOf(section, 'json').map(({ file, code }) => fence(`json [${file}]`, code.trim())),
      files,
      notesFor(service, notes),
    ),
    paragraphs(
      `With a made-up ${hasPair ? 'pair of keys' : 'secret'}:`,
      fence('sh', startOf(title, service, main)),
    ),
    paragraphs(
      sending(service),
      'At its end, `send` prints the first line; the server prints the second:',
      fence(
        'text',
        `✓ accepted with ${application.status} (9 ms)\n${service.event} ${idOf(service)} { …`,
      ),
      changed.trim(),
    ),
    realSecret(service),
  ]
}

/** What stands below the server of docs/start.md, in the names of a service. */
function notesFor(service, notes) {
  return notes
    .replace(/^```ts .*?^```$/ms, () => pagesRouterOf(service))
    .replaceAll('STRIPE_WEBHOOK_SECRET', service.file.variable)
    .replaceAll('/webhooks/stripe', service.path)
}

function realSecret(service) {
  const { name, title, path, file, hasPair } = service
  if (service === own)
    return 'Make one with `openssl rand -hex 32`, put `whsec_` in front, and set it where the server runs and where you send. [The default format](services/default.md) says how to sign.'
  const page = `services/${name}.md`
  const anchor = secretHeading(service).toLowerCase().replace(' ', '-')
  return `[Get the ${hasPair ? 'public key' : 'secret'} of ${title}](${page}#${anchor}), and set \`${file.variable}\` to it where the server runs. Then give ${title} the URL \`https://<your host>${path}\`, or [receive its deliveries on your machine](guides/receive-locally.md). [${title}, step by step](${page}) has a test, and the usual mistakes.`
}

/** What the section of a framework says before and after its three steps. */
export function partsOf(section) {
  const [, begin, notes] = /^(.*?)^```sh$.*?^```$.*?^```sh$.*?^```$(.*)$/ms.exec(section)
  return { begin: begin.trim(), notes: notes.trim() }
}

/** The blocks of a language. */
function blocksOf(section, language) {
  return codeBlocks(section).filter((block) => block.language === language)
}

/** Most begin with a line that makes a project, which would break one that is there. */
function inFolder(install) {
  const isOneLine = install.split('\n').length === 3
  return isOneLine
    ? install
    : paragraphs('In an empty folder. In your own project, skip the first line:', install)
}
