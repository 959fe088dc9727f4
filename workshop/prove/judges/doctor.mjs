// Examines receivers that are written with the services' own SDKs: whoever uses one has no fault. What it accepts besides is a note.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { listening } from '@webhook-receiver/conformance'
import * as schemes from '@webhook-receiver/schemes'
import { serviceFile } from '@webhook-receiver/schemes/services'
import { flag, readCommandLine, text } from '../command-line.mjs'
import { startProgram } from '../program.mjs'
import { signedSample } from '../signed-sample.mjs'
import { signatureIn } from './cases.mjs'
import { installSdks, loadSdk } from './install.mjs'
import { SDKS } from './sdks.mjs'

const { latest, only } = readCommandLine(
  'prove -- doctor',
  `Runs the doctor on a receiver for each SDK that verifies. Exits with 1 where it finds a fault: what an SDK accepts besides is in
\`sdk.accepts\` of the file of its service.`,
  {
    latest: flag('the newest SDKs instead of those that were last compared'),
    only: text('one scheme', 'name'),
  },
)
const isChosen = ({ name }) => only === undefined || name === only
const COMMAND = fileURLToPath(
  new URL('../../../packages/cli/bin/webhook-receiver.js', import.meta.url),
)
/** The faults that SDKs have: this one signs again what it has parsed. */
const KNOWN = { zoom: 'reserialized-json' }
const LIMIT = 2_000_000
const PUBLIC_URL = 'https://example.com/webhooks'

const folder = installSdks(latest)
const rows = {}
for (const scheme of Object.values(schemes)) {
  if (!scheme.value || !scheme.sign || !isChosen(scheme)) continue
  const row = await examine(scheme)
  if (row) rows[scheme.name] = row
}
console.table(rows)

async function examine(scheme) {
  const { name, signsUrl } = scheme
  const sdk = SDKS[name]
  // Others have no SDK of their own: sample code, published signatures, or the package of somebody else.
  const { verify, version } = serviceFile(name)?.sdk ? await loadSdk(folder, sdk) : {}
  if (!verify) return undefined
  const { secret, privateKey = secret } = await signedSample(scheme, 'any', PUBLIC_URL)
  const { port, close } = await listening(createServer(receiver(scheme, secret, verify)))
  const url = `http://127.0.0.1:${port}/webhooks`
  const report = await diagnosed(url, privateKey, [
    ...['--scheme', name, '--oversize', String(LIMIT + 1)],
    ...(signsUrl ? ['--public-url', PUBLIC_URL] : []),
  ])
  await close()
  const faults = report.faults
    .filter(({ code }) => code !== KNOWN[name])
    .map(({ code, probes }) => `${code} (${probes.join(', ')})`)
  const accepted = report.notes.filter((note) => note.package).flatMap(({ probes }) => probes)
  if (faults.length > 0) {
    console.log(`${name}: ${faults.join('; ')}`)
    process.exitCode = 1
  }
  return {
    SDK: `${sdk.package}@${version}`,
    probes: report.summary.passed + report.summary.failed,
    faults: faults.length,
    accepts: accepted.join(' '),
  }
}

/** A receiver as the documentation of an SDK shows it: the body as text, verified, then parsed. */
function receiver({ value, success }, secret, verify) {
  return async (req, res) => {
    const respond = (status) => res.writeHead(status).end()
    if (req.method !== 'POST') return respond(405)
    const body = Buffer.concat(await req.toArray())
    if (body.length > LIMIT) return respond(413)
    const { headers } = req
    const signature = signatureIn(headers, value)
    const one = { secret, headers, signature, body, text: body.toString(), url: PUBLIC_URL }
    if (!(await verify(one))) return respond(401)
    try {
      if (!value.signed.includes('form')) JSON.parse(one.text)
    } catch {
      return respond(400)
    }
    respond(success?.status ?? 200)
  }
}

async function diagnosed(url, secret, args) {
  const all = [COMMAND, 'doctor', url, '--json', ...args]
  const env = { WEBHOOK_SECRET: secret }
  const { stdout, stderr } = await startProgram(process.execPath, all, { env }).ended
  if (stdout === '') throw new Error(`The doctor did not examine ${url}: ${stderr}`)
  return JSON.parse(stdout)
}
