import { readdirSync, readFileSync } from 'node:fs'
import { startSurface } from './surfaces.mjs'

const FOLDER = new URL('../../../conformance/schemes/', import.meta.url)

/** When the SDKs were compared. What services have published is of other days. */
const CLOCK = 1_795_392_000

/**
 * Sends what was signed for each service over sockets: nothing but a valid signature is verified.
 *
 * @returns {Promise<import('./vectors.mjs').Outcome>}
 */
export async function servicesOverSockets(folder, runtime) {
  const program = await startSurface(folder, runtime, { surface: 'schemes', clock: CLOCK })
  const vectors = readdirSync(FOLDER).flatMap(readVectors)
  const problems = []
  try {
    for (const vector of vectors) {
      const status = await statusOf(program.port, vector)
      // A verified body that is not a delivery of the service, for example one without an id, gets 400.
      const right = vector.valid ? [200, 202, 204, 400] : [401]
      if (!right.includes(status)) problems.push(`${vector.scheme}, ${vector.name}: ${status}`)
    }
  } finally {
    await program.stop('SIGKILL')
  }
  const { length: ran } = vectors
  return { ran, right: ran - problems.length, deviating: [], problems }
}

function readVectors(file) {
  if (file === 'published.json' || file === 'aws-sns.json') return []
  const { scheme, vectors } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  return vectors.map((vector) => ({ scheme, ...vector }))
}

async function statusOf(
  port,
  { scheme, secret, url = 'https://example.com/', headers, body = '' },
) {
  const { pathname, search } = new URL(url)
  const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...headers,
      'x-scheme': scheme,
      'x-secret': encodeURIComponent(secret),
    },
    body: bytesOf(body),
  })
  await response.arrayBuffer()
  return response.status
}

function bytesOf(body) {
  if (typeof body === 'string') return Buffer.from(body, 'base64')
  const [prefix, unit, suffix] = [body.prefix, body.unit, body.suffix].map((part) =>
    Buffer.from(part, 'base64'),
  )
  return Buffer.concat([prefix, ...Array(body.times).fill(unit), suffix])
}
