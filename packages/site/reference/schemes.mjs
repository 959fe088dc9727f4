import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DOCS, ROOT } from '../sources.mjs'

/** The services, each with a link to its page. */
export async function serviceList() {
  const listed = (await everyScheme()).filter(({ page }) => page)
  const pages = new Map(
    listed.toReversed().map(({ name, title }) => [title ?? 'Standard Webhooks', name]),
  )
  return [...pages]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([title, name]) => `- [${title}](../../../docs/services/${pageOf(name)}.md)`)
    .join('\n')
}

/** The page of a service, or the list of all. */
function pageOf(name) {
  return existsSync(join(DOCS, 'services', `${name}.md`)) ? name : 'README'
}

/** What each scheme is, read from the built packages. What its service does not document is `null`. */
export async function everyScheme() {
  const load = (path) => import(pathToFileURL(join(ROOT, 'packages', path)))
  const [{ awsSns }, schemes] = await Promise.all([
    load('schemes/dist/aws-sns.js'),
    load('schemes/dist/index.js'),
  ])
  return Object.entries({ ...schemes, awsSns: awsSns() })
    .filter(([, scheme]) => scheme?.readHead)
    .map(([exported, scheme]) => factsOf(exported, scheme))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function factsOf(exported, scheme) {
  const { name, headers, unsigned = [], ambiguous = false, tolerance, secret } = scheme
  const { value, title = null, success, patience = null } = scheme
  const file = join(ROOT, `packages/schemes/services/${name}.json`)
  const service = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return {
    ...{ name, exported, title, headers, unsigned, ambiguous, patience },
    secret: secret
      ? `${secret.called}${secret.begins ? `, which begins with ${secret.begins}` : ''}`
      : null,
    algorithms: value?.keys.map(({ algorithm }) => ALGORITHMS[algorithm]) ?? [],
    signed: value?.signed.map(partText) ?? [],
    tolerance: Number.isFinite(tolerance) ? tolerance : null,
    success: success?.status ?? 204,
    retries: value?.retries ?? null,
    signs: Boolean(scheme.sign),
    page: service !== undefined,
    documentation: value?.documentation ?? service?.documentation ?? null,
    checked: value?.checked ?? null,
    judge: judgeOf(name),
  }
}

const ALGORITHMS = {
  'hmac-sha1': 'HMAC-SHA1',
  'hmac-sha256': 'HMAC-SHA256',
  'hmac-sha512': 'HMAC-SHA512',
  ed25519: 'Ed25519',
  'ecdsa-p256': 'ECDSA P-256',
  'rsa-sha256': 'RSA-SHA256',
}

function partText(part) {
  if (typeof part === 'string') return part
  return 'text' in part ? JSON.stringify(part.text) : String(part.header)
}

/** From the recorded vectors of the service, if there are any. */
function judgeOf(name) {
  const file = join(ROOT, `packages/conformance/schemes/${name}.json`)
  if (!existsSync(file)) return null
  const { judge, version, source = null } = JSON.parse(readFileSync(file, 'utf8'))
  return judge === undefined ? source : `${judge} ${version}`
}
