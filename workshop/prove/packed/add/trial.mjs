import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signDelivery } from '@webhook-receiver/core/testing'
import { keyPairFor, withSamples } from '@webhook-receiver/schemes/services'
import { withServer } from '../../receive.mjs'
import { run } from '../../step.mjs'
import { nameOf, written } from './combinations.mjs'

const START = 'node --import tsx --env-file=.env MAIN'
const TEST = 'node --import tsx --test --test-force-exit TEST'

/**
 * Runs the test that was written beside a route, and starts its server, which gets a delivery and that tampered with. Gives what it has
 * responded with, and what was wrong.
 */
export async function tryCombination(combination, { folder, port }) {
  const name = nameOf(combination)
  const problems = []
  const attempt = (work) => work().catch(({ message }) => problems.push(message))
  const { service } = combination
  const plan = await written(combination, folder)
  const main = plan.main ?? plan.route
  const sender = senderOf(service)
  const secrets = { [service.variable]: sender.secret, [service.tokenVariable ?? '_']: 'chosen' }
  const lines = Object.entries(secrets).map(
    ([variable, value]) => `${variable}=${JSON.stringify(value)}\n`,
  )
  await writeFile(join(folder, plan.envFile), lines.join(''))
  const env = { ...process.env, NODE_ENV: undefined }
  const commandOf = (line) =>
    line.replace('MAIN', main).replace('TEST', plan.test).replace('3000', `${port}`)
  if (plan.test) await attempt(() => run('sh', ['-c', commandOf(TEST)], { cwd: folder, env }))
  for (const file of new Set([plan.route, main])) {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('3000', `${port}`))
  }
  const where = { port, cwd: folder, env: { PORT: `${port}` } }
  let saw
  await attempt(async () => {
    saw = await withServer(['sh', '-c', commandOf(START)], where, () =>
      post(`http://localhost:${port}${service.path}`, sender),
    )
  })
  return { name, saw, problems }
}

/** What signs as a service, and the secret of a receiver: where only the service can sign, that of a pair of keys. */
function senderOf({ name, scheme, signer, event, secret, signedBy, hasSamples }) {
  const pair = signedBy === 'key' ? keyPairFor(signer) : { publicKey: secret, privateKey: secret }
  const url = `https://example.com/webhooks/${name}`
  const options = scheme && { scheme: withSamples(signer), event, url }
  const delivery = hasSamples ? event : { event }
  return {
    secret: pair.publicKey,
    sign: () => signDelivery(pair.privateKey, delivery, options),
  }
}

async function post(url, sender) {
  const { headers, body } = await sender.sign()
  const type = /^[[{]/.test(Buffer.from(body)) ? 'json' : 'x-www-form-urlencoded'
  const send = (bytes) =>
    fetch(url, {
      ...{ method: 'POST', body: bytes },
      headers: { 'content-type': `application/${type}`, ...headers },
    })
  const tampered = Buffer.from(body)
  tampered[tampered.length >> 1] ^= 1
  const [forged, valid] = [await send(tampered), await send(body)]
  assert.equal(forged.status, 401, `a tampered delivery gets ${forged.status}`)
  assert.ok(valid.ok, `a valid delivery gets ${valid.status}: ${await valid.text()}`)
  return `${forged.status}, ${valid.status}`
}
