import { spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'

export function randomSecret() {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/**
 * Something that is not this library and gives the HMAC-SHA256 of a timestamp, a full stop and a body,
 * in hexadecimal.
 */
export function chooseSigner() {
  const { status, stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' })
  if (status !== 0)
    return { name: 'node:crypto (there is no openssl command here)', sign: withNode }
  const version = stdout.trim().split(' ').slice(0, 2).join(' ')
  return { name: `${version} (openssl dgst -sha256 -hmac)`, sign: withOpenssl }
}

function withNode(secret, timestamp, body) {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}

function withOpenssl(secret, timestamp, body) {
  // Other users of the machine can read a command line: fit for a secret made up a second ago only.
  const { status, stdout, stderr } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
    input: Buffer.concat([Buffer.from(`${timestamp}.`), body]),
    encoding: 'utf8',
  })
  // The digits come last, behind a label that differs between versions.
  const digits = /[0-9a-f]{64}$/.exec(stdout.trim())?.[0]
  if (status !== 0 || digits === undefined) throw new Error(`openssl did not sign: ${stderr}`)
  return digits
}
