import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { signDelivery } from '@webhook-receiver/core/testing'
import { keyPairFor, withSamples } from '@webhook-receiver/schemes/services'
import { startProgram } from '../../program.mjs'
import { untilListening } from '../../receive.mjs'
import { signedSample } from '../../signed-sample.mjs'
import { run } from '../../step.mjs'
import { kindOf, nameOf, written } from './combinations.mjs'
import { NODE } from './hosts.mjs'
import { onNode } from './own-tests.mjs'

/** How long servers may take to listen, in milliseconds. */
const START_TIME = 120_000

/**
 * Starts the servers of combinations of one kind in one process. Each gets a delivery and that tampered with, and the tests that were
 * written beside them run. Gives what each has responded with, and what was wrong.
 */
export async function tryGroup(combinations, { folder, ports, host = NODE, env = {} }) {
  const entries = []
  for (const [at, combination] of combinations.entries()) {
    const { service, framework, variation } = combination
    const where = host.isProject || combinations.length === 1 ? folder : join(folder, `${at}`)
    const sender = await senderOf(service)
    entries.push({
      ...{ combination, folder, where, sender, port: ports[host.isOne ? 0 : at], problems: [] },
      path: `${framework === 'next' && variation.layout ? '/api' : ''}${service.path}`,
      ...(await written(combination, where, host.runner)),
      env: { [service.variable]: sender.secret, [service.tokenVariable ?? '_']: 'chosen' },
    })
  }
  // That of the working directory counts for all. JavaScript has none.
  const [{ where }] = entries
  if (where !== folder)
    await copyFile(join(where, 'tsconfig.json'), join(folder, 'tsconfig.json')).catch(() => {})
  const tests = entries.flatMap((each) => (each.test ? [join(each.where, each.test)] : []))
  const { runTests = onNode } = host
  const failed = tests.length > 0 ? await runTests(tests, { folder, env }) : []
  for (const entry of entries) await setPort(entry)
  await startAndPost(entries, { folder, host, env })
  return [
    { name: `${tests.length} tests of ${kindOf(combinations[0])}`, problems: failed },
    ...entries.map(({ combination, saw, problems }) => ({
      ...{ name: nameOf(combination), saw, problems },
    })),
  ]
}

/** What signs as a service, and the secret of a receiver: where only the service can sign, that of a pair of keys or a certificate. */
async function senderOf({ name, scheme, signer, event, secret, signedBy, hasSamples }) {
  if (name === 'aws-sns') {
    const signed = await signedSample(withSamples(signer), event)
    return { ...signed, sign: () => signed }
  }
  const pair = signedBy === 'key' ? keyPairFor(signer) : { publicKey: secret, privateKey: secret }
  const url = `https://example.com/webhooks/${name}`
  const options = scheme && { scheme: withSamples(signer), event, url }
  const delivery = hasSamples ? event : { event }
  const sign = () => signDelivery(pair.privateKey, delivery, options)
  return { secret: pair.publicKey, sign }
}

async function setPort({ where, route, server, port }) {
  for (const name of [route, server].filter(Boolean)) {
    const path = join(where, name)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('3000', `${port}`))
  }
}

async function startAndPost(entries, { folder, host, env }) {
  const [{ port }] = entries
  const preload = join(folder, 'preload.mjs')
  const files = { 'preload.mjs': preloadOf(entries), ...host.files?.(entries) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  try {
    // A build has no secrets.
    if (host.build)
      await run('sh', ['-ec', host.build], { cwd: folder, env: { ...process.env, ...env } })
  } catch ({ message }) {
    for (const { problems } of entries) problems.push(message)
    return
  }
  const [command, ...args] = host.start({ port, preload, entries })
  const options = host.isProject ? `--import ${preload}` : ''
  const program = startProgram(command, args, {
    cwd: folder,
    env: Object.assign({ ...env, NODE_OPTIONS: options }, ...entries.map((each) => each.env)),
    group: true,
  })
  const late = setTimeout(START_TIME, undefined, { ref: false })
  for (const entry of entries)
    await post(entry, program, late).catch(({ message }) => entry.problems.push(message))
  const { stderr } = await program.stop('SIGKILL')
  for (const { saw, problems } of entries) if (!saw) problems.push(stderr.slice(-4000))
}

async function post(entry, program, late) {
  const { port, path, sender } = entry
  const isLate = late.then(() => assert.fail('it does not listen'))
  await Promise.race([untilListening(port, program), isLate])
  const { headers, body } = await sender.sign()
  const type = /^[[{]/.test(Buffer.from(body)) ? 'json' : 'x-www-form-urlencoded'
  const send = (bytes) =>
    fetch(`http://localhost:${port}${path}`, {
      ...{ method: 'POST', body: bytes },
      headers: { 'content-type': `application/${type}`, ...headers },
    })
  const tampered = Buffer.from(body)
  tampered[tampered.length >> 1] ^= 1
  const [forged, valid] = [await send(tampered), await send(body)]
  entry.saw = `${forged.status}, ${valid.status}`
  assert.equal(forged.status, 401, `a tampered delivery gets ${forged.status}`)
  assert.ok(valid.ok, `a valid delivery gets ${valid.status}: ${await valid.text()}`)
}

/** Loaded in front of a server: the certificate of Amazon SNS. */
function preloadOf(entries) {
  const certificate = entries.find(({ sender }) => sender.certificate)?.sender.certificate
  if (!certificate) return ''
  return `const { fetch } = globalThis
globalThis.fetch = async (url, ...more) =>
  \`\${url}\`.startsWith('https://sns.')
    ? new Response(${JSON.stringify(certificate)})
    : fetch(url, ...more)
`
}
