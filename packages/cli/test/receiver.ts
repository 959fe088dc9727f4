import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { type Delivery, webhookHandler } from '@webhook-receiver/node'
import { onTestFinished } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { SECRET } from './invoke.ts'

export { serving }

/** A server that reads what it is sent, and responds with this status. */
export function respondingWith(status: number): Promise<string> {
  return serving((req, res) => void req.resume().on('end', () => res.writeHead(status).end()))
}

/** What arrived at a server, byte for byte. */
export interface Arrived extends Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> {
  readonly body: Buffer
}

/** A server that remembers what arrives, and responds with 204 unless a test says something else. */
export async function recording(
  respond: (res: ServerResponse, count: number) => unknown = (res) => res.writeHead(204).end(),
) {
  const arrived: Arrived[] = []
  const url = await serving(async (req, res) => {
    const { method, url, rawHeaders } = req
    arrived.push({ method, url, rawHeaders, body: await buffer(req) })
    respond(res, arrived.length)
  })
  return { url, arrived }
}

export const OPENSSL: boolean = spawnSync('openssl', ['version']).status === 0

/** The same over TLS on `localhost`, with a certificate for a subject; resolves to the URL and the file of the certificate. */
export async function servingSecurely(subject: string, listener: RequestListener) {
  const directory = await folder()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -utf8 -days 2'
  const args = [...request.split(' '), '-subj', subject, '-keyout', key, '-out', cert]
  execFileSync('openssl', args, { stdio: 'ignore' })
  const credentials = { key: readFileSync(key), cert: readFileSync(cert) }
  const server: Server = createServer(credentials, listener)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, cert }
}

/** A real receiver, which verifies with the secret of the tests if no other one is given, and what it was handed. */
export async function receiver(secret: string = SECRET, options: object = {}) {
  const deliveries: Delivery[] = []
  const handle = (delivery: Delivery) => void deliveries.push(delivery)
  const origin = await serving(webhookHandler(secret, handle, { onRejected: false, ...options }))
  return { url: `${origin}/webhooks`, deliveries }
}

/** A receiver of a service, and what the command needs to know of it. */
export async function receiverOf(name: string, secret: string, options: object = {}) {
  const { scheme } = await findScheme(name)
  const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
  return {
    ...(await receiver(secret, { scheme, publicUrl, ...options })),
    scheme,
    flags: ['--scheme', name, ...(publicUrl ? ['--public-url', publicUrl] : [])],
  }
}
