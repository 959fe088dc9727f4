// From nothing to a first delivery of a service on a framework: what docs/start.md says of the framework, with the server of the service.
import { codeBlocks } from '../../prove/documents/code-blocks.mjs'
import { fence, paragraphs } from './markdown.mjs'
import { serverOn } from './servers.mjs'
import { inColumn, sendCommand } from './try-it.mjs'

/** Steps to copy, with a made-up secret. `section` is that of docs/start.md for the framework. */
export function firstSteps(service, title, section) {
  const { name, path, file, application, hasPair } = service
  const { variable } = file
  const { framework, main, files } = serverOn(title, service)
  const [install, ...commands] = blocksOf(section, 'sh')
  const start = commands.find(({ code }) => code.includes('WEBHOOK_SECRET'))
  const set = hasPair
    ? `npx webhook-receiver keys ${name}\nexport ${variable}="$(cat ${name}.pub)"`
    : `export ${variable}=${application.secret}`
  const page = `services/${name}.md`
  return paragraphs(
    fence('sh', `npx webhook-receiver add ${name} --framework ${framework}`),
    'It writes the code below into your project or an empty folder, with a test and a secret to try it with, and says what to run next. By hand, you need five steps and no account.',
    '**1. Install**',
    fence('sh', withPackages(install.code.trim(), application.packages)),
    '**2. Write the server**',
    ...blocksOf(section, 'json').map(({ file, code }) => fence(`json [${file}]`, code.trim())),
    files,
    `**3. Start it with a made-up ${hasPair ? 'pair of keys' : 'secret'}**`,
    fence('sh', `${set}\n${startOf(start.code.trim(), variable, main)}`),
    `**4. Send it a delivery, from a second terminal${hasPair ? '' : ' with the same secret'}**`,
    fence('sh', `${hasPair ? '' : `${set}\n`}${sendCommand(service)}`),
    `The status is ${application.status}, and the server prints the event.`,
    `**5. Take the real ${hasPair ? 'key' : 'secret'}**`,
    `[${service.title} shows it here](${page}#secret). Set \`${variable}\` to it where the server runs, and give ${service.title} the URL \`https://<your host>${path}\`, or [receive its deliveries on your machine](guides/receive-locally.md). [${service.title}, step by step](${page}) has a test, and the usual mistakes.`,
  )
}

/** The blocks of a language. */
function blocksOf(section, language) {
  return codeBlocks(section).filter((block) => block.language === language)
}

/** In the line that installs the adapter. */
function withPackages(install, packages) {
  return install.replace(/(@webhook-receiver\/[\w-]+)$/m, ['$1', ...packages].join(' '))
}

/** The command that starts the default format, with the variable and the file of the service. The variable is set already. */
function startOf(command, variable, main) {
  const [first, ...options] = command
    .replace(/WEBHOOK_SECRET=\S+ /, '')
    .replace(/WEBHOOK_SECRET:\S+/, `${variable}:$${variable}`)
    .replace(/[\w-]+\.ts\b/, (file) => main ?? file)
    .split(/ (?=--)/)
  return inColumn([first, ...options])
}
