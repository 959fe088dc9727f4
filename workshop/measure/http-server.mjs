// An application on one framework, as its argument says: a JSON object. Replies to each message with what it asks for.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FRAMEWORKS } from '@webhook-receiver/trials/applications.mjs'
import { LIBRARIES } from './libraries.mjs'
import { SECRET } from './messages.mjs'
import { verifyCarefully } from './plain.mjs'
import { SERVICES } from './services.mjs'

/**
 * `form` is ours that receives; without one, the application verifies by the `library`, or by hand. `root` is the checkout whose packages are
 * loaded.
 */
const { framework, form, library, service, root } = JSON.parse(process.argv[2])
const verify = await LIBRARIES[library]?.load()

/** What calls the work of the first delivery. */
let callers

/** The work of each delivery. */
async function work() {
  callers ??= stackOf()
}

function stackOf() {
  Error.stackTraceLimit = 100
  return new Error().stack
}

/** What an application has at PATH: a form of the checkout's adapter, or the check. */
async function receiving() {
  if (!form) return { verify: library ? checkByLibrary : checkByHand }
  const { webhookHandler, webhookMiddleware } = await imported(framework)
  const { publicUrl } = SERVICES[service]
  const schemes = Object.values(await imported('schemes'))
  const options = { publicUrl, scheme: schemes.find(({ name }) => name === service) }
  return form === 'handler'
    ? { handler: (own) => webhookHandler(SECRET, work, { ...options, ...own }) }
    : { middleware: () => webhookMiddleware(SECRET, options) }
}

/** Looks up the two headers that it needs, as an application does. */
function checkByHand(body, header, respond) {
  const names = ['x-webhook-timestamp', 'x-webhook-signature']
  const headers = { [names[0]]: header(names[0]), [names[1]]: header(names[1]) }
  return respond(verifyCarefully(body, headers) ? 204 : 401)
}

/** Some libraries throw if a request is invalid, some return a promise. */
async function checkByLibrary(body, header, respond) {
  let isValid = false
  try {
    isValid = await verify(body, header())
  } catch {}
  return respond(isValid ? 204 : 401)
}

/** What a package exports, as it is built in the checkout. */
function imported(name) {
  return import(pathToFileURL(join(root, 'packages', name, 'dist/index.js')))
}

const server = await FRAMEWORKS[framework].serve(await receiving(), {})
// A client that is slow to send its next request must not find its connection closed.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send(server.address().port))

const REPLIES = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  callers: () => callers ?? '',
}

process.on('message', (question) => process.send(REPLIES[question]()))
// Also where whoever measures was killed.
process.once('disconnect', () => process.exit())
