// How the server of a service is started with a made-up secret, as docs/start.md starts that of Stripe.
import { codeBlocks } from '../../prove/documents/code-blocks.mjs'
import { sectionOf } from '../../prove/documents/start-page.mjs'
import { inColumn } from './try-it.mjs'

/** What installs the packages of a service's server on a framework, in an empty folder. */
export function installOf(title, { application }) {
  const [{ code }] = codeBlocks(sectionOf(title)).filter(({ language }) => language === 'sh')
  // In place of what Stripe needs.
  return code
    .trim()
    .replace(/( (?:npm:)?)@webhook-receiver\/schemes$/m, (_, before) =>
      application.packages.map((name) => before + name).join(''),
    )
}

/** Sets the secret, which is the reader's own where nobody else can sign, and starts the server on a framework. `main` is the file of the server, if the framework has no program that starts it. */
export function startOf(title, service, main) {
  const { name, application, hasPair, file } = service
  const { variable } = file
  const secret = application.signedBy === 'nobody' ? '…' : application.secret
  const [, ...commands] = codeBlocks(sectionOf(title)).filter(({ language }) => language === 'sh')
  const { code } = commands.find(({ code }) => code.includes('WEBHOOK_SECRET'))
  const [first, ...options] = code
    .trim()
    .replace(/\w+WEBHOOK_SECRET=\S+ /, '')
    .replace(/\w+WEBHOOK_SECRET:\S+/, `${variable}:${hasPair ? `$${variable}` : secret}`)
    .replace(/[\w-]+\.ts\b/, (found) => main ?? found)
    .split(/ (?=--)/)
  const start = inColumn([first, ...options])
  if (hasPair)
    return `npx webhook-receiver keys ${name}\nexport ${variable}="$(cat ${name}.pub)"\n${start}`
  return code.includes('WEBHOOK_SECRET:') ? start : `export ${variable}=${secret}\n${start}`
}
