// What a README of an adapter says to try, with what docs/start.md shows of it, which a test sends and compares.
import { codeBlocks } from '../../prove/documents/code-blocks.mjs'
import { fence, paragraphs } from '../services/markdown.mjs'
import { read } from '../sources.mjs'

const SECRET = 'export STRIPE_WEBHOOK_SECRET=whsec_made_up_secret_for_tests'
const SEND =
  'npx -y webhook-receiver send invoice.paid localhost:3000/webhooks/stripe --scheme stripe'

/** For a program that listens itself, `server`; for another, the README says how to start it. `sender` is what the log knows of who sends. */
export function firstRun(how, sender) {
  const [accepted, rejected] = codeBlocks(read('docs/start.md'))
    .filter(({ language }) => language === 'text')
    .map(({ code }) => code.trim())
  const [sent, handled] = accepted.split('\n')
  const logged = sender === 'unknown' ? rejected.replace(/ from [\d.]+(?=:\n)/, '') : rejected
  return paragraphs(
    how === 'server' &&
      paragraphs(
        '**Try it:** save it as `server.mts`, and start it. In development, each rejection is logged in full:',
        fence('sh', `${SECRET}\nNODE_ENV=development npx -y tsx server.mts`),
      ),
    'From a second terminal, send a delivery, and one whose body is changed after it was signed:',
    fence('sh', `${SECRET}\n${SEND}\n${SEND} --tamper body`),
    `\`send\` prints the request and what came of it: \`${sent}\`, then \`✓ rejected with 401, as expected\`. Your server prints:`,
    fence('text', `${handled}\n${logged}`),
  )
}
