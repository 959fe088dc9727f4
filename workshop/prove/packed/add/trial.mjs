import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startProgram } from '../../program.mjs'
import { untilListening } from '../../receive.mjs'
import { run } from '../../step.mjs'
import { nameOf, written } from './combinations.mjs'
import { deliveryOf } from './deliveries.mjs'
import { NODE } from './hosts.mjs'
import { onNode } from './own-tests.mjs'

/** How long servers may take to listen, in milliseconds. */
const START_TIME = 120_000

/**
 * Starts the servers of combinations of one kind in one process, at the time when their deliveries were signed. Each gets its delivery and
 * that tampered with, and the test that was written beside it runs. Gives what each has done, and its problems.
 */
export async function tryGroup(combinations, { folder, ports, host = NODE, env = {} }) {
  const entries = []
  for (const [at, combination] of combinations.entries()) {
    const { service, framework, variation } = combination
    const where = host.isProject || combinations.length === 1 ? folder : join(folder, `${at}`)
    const path = `${framework === 'next' && variation.layout ? '/api' : ''}${service.path}`
    const delivery = await deliveryOf(service, path)
    entries.push({
      ...{ combination, folder, where, delivery, port: ports[host.isOne ? 0 : at] },
      ...(await written(combination, where, host.runner)),
      ...{ path, did: {}, problems: [] },
      env: { [service.variable]: delivery.secret, [service.tokenVariable ?? '_']: 'chosen' },
    })
  }
  // That of the working directory counts for all. JavaScript has none.
  const [{ where }] = entries
  if (where !== folder)
    await copyFile(join(where, 'tsconfig.json'), join(folder, 'tsconfig.json')).catch(() => {})
  // Before the routes get the URLs of the deliveries.
  await runTests(entries, { folder, host, env })
  for (const entry of entries) await setUp(entry)
  await startAndPost(entries, { folder, host, env })
  return entries.map(({ combination, did, problems }) => {
    const saw = [did.took, did.rejected, did.passed && 'own test'].filter(Boolean).join(', ')
    return { combination, name: nameOf(combination), did, saw, problems }
  })
}

async function runTests(entries, { folder, host, env }) {
  const tested = entries.filter(({ test }) => test)
  const fileOf = ({ where, test }) => join(where, test)
  const { runTests: runAll = onNode } = host
  let why = 'its test has not run'
  const found = await runAll(tested.map(fileOf), { folder, env }).catch(({ message }) => {
    why = message
    return new Map()
  })
  for (const entry of tested) {
    const problems = found.get(fileOf(entry)) ?? [why]
    entry.problems.push(...problems)
    entry.did.passed = problems.length === 0
  }
}

/** The port, the URL that was registered, and the subscription of the delivery. */
async function setUp({ where, route, server, port, delivery: { url, headers } }) {
  const subscription = headers['x-mcp-subscription-id'] ?? 'sub_01'
  for (const name of [route, server].filter(Boolean)) {
    const path = join(where, name)
    const text = await readFile(path, 'utf8')
    const registered = url ? text.replaceAll(/publicUrl: '[^']*'/g, `publicUrl: '${url}'`) : text
    const there = registered.replaceAll('3000', `${port}`).replaceAll('sub_01', subscription)
    await writeFile(path, there)
  }
}

async function startAndPost(entries, { folder, host, env }) {
  const [{ port, delivery }] = entries
  const clock = join(folder, 'clock.mjs')
  const files = { 'clock.mjs': clockAt(delivery), ...host.files?.(entries) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  try {
    // A build has no secrets.
    if (host.build)
      await run('sh', ['-ec', host.build], { cwd: folder, env: { ...process.env, ...env } })
  } catch ({ message }) {
    for (const { problems } of entries) problems.push(message)
    return
  }
  const [command, ...args] = host.start({ port, clock, entries })
  const options = host.isProject ? `--import ${clock}` : ''
  const program = startProgram(command, args, {
    cwd: folder,
    env: Object.assign({ ...env, NODE_OPTIONS: options }, ...entries.map((each) => each.env)),
    group: true,
  })
  const late = setTimeout(START_TIME, undefined, { ref: false })
  for (const entry of entries)
    await post(entry, program, late).catch(({ message }) => entry.problems.push(message))
  const { stderr } = await program.stop('SIGKILL')
  for (const { did, problems } of entries) if (!did.started) problems.push(stderr.slice(-4000))
}

async function post({ port, path, did, delivery: { headers, body } }, program, late) {
  const isLate = late.then(() => assert.fail('it does not listen'))
  await Promise.race([untilListening(port, program), isLate])
  did.started = true
  const send = (bytes) =>
    fetch(`http://localhost:${port}${path}`, { method: 'POST', headers, body: bytes })
  const tampered = Buffer.from(body)
  tampered[tampered.length >> 1] ^= 1
  const [forged, valid] = [await send(tampered), await send(body)]
  assert.equal(forged.status, 401, `a tampered delivery gets ${forged.status}`)
  did.rejected = 401
  // Some vectors hold less than a delivery: their signature is accepted, and then their body is not.
  const text = await valid.text()
  const isAccepted = valid.ok || text.includes('invalid_delivery')
  assert.ok(isAccepted, `a valid delivery gets ${valid.status}: ${text}`)
  did.took = valid.status
}

/** Loaded in front of a server: the time, and the certificate of Amazon SNS. */
function clockAt({ clock, certificate }) {
  const fetched = `const { fetch } = globalThis
globalThis.fetch = async (url, ...more) =>
  \`\${url}\`.startsWith('https://sns.')
    ? new Response(${JSON.stringify(certificate)})
    : fetch(url, ...more)
`
  return `Date.now = () => ${clock}\n${certificate ? fetched : ''}`
}
