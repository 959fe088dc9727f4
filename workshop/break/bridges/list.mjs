// The queues of docs/guides/queues.md that the suite runs.
import { randomBytes } from 'node:crypto'
import { Unavailable } from '@webhook-receiver/checks/runs.mjs'
import { natsServer, postgresServer, redisServer } from '@webhook-receiver/checks/servers.mjs'
import { isListening } from '@webhook-receiver/checks/wire.mjs'
import { startSqs } from './sqs.mjs'

/**
 * @typedef {object} Bridge
 * @property {string} name of its block in the guide
 * @property {(folder: string) => Promise<Engine>} starts an engine, or connects to one that runs; its packages are installed in the folder
 * @property {(engine: Engine) => Record<string, string>} env of server and worker
 * @property {readonly (readonly [from: string, to: string])[]} changes in its block: the same times, shorter, and names of its own
 * @property {'engine' | 'store'} once what recognises a copy of a delivery that was handled
 * @property {boolean} [ordered] whether one worker keeps the order
 * @property {Readonly<Record<string, string>>} [packages] what is installed for the weekly run
 *
 * @typedef {{ url: string, isShared?: boolean, start?(): Promise<void>, stop?(signal: NodeJS.Signals): Promise<void>, remove?(): Promise<void> }} Engine one that `isShared` runs already, and is not killed
 */

const unique = () => `webhooks-${randomBytes(5).toString('hex')}`

/** @returns {readonly Bridge[]} */
export function findBridges() {
  return [
    {
      name: 'bullmq',
      start: () => redisServer({ persistent: true }),
      env: ({ url }) => ({ REDIS_URL: url }),
      changes: [
        ['delay: 1000', 'delay: 100'],
        ['lockDuration: 10_000', 'lockDuration: 1000'],
        ['stalledInterval: 5000', 'stalledInterval: 500'],
      ],
      once: 'engine',
    },
    {
      name: 'pg-boss',
      start: postgresServer,
      env: ({ url }) => ({ DATABASE_URL: url }),
      changes: [
        ["NAME = 'webhooks'", `NAME = '${unique()}'`],
        ['maintenanceIntervalSeconds: 10', 'maintenanceIntervalSeconds: 1'],
        ['expireInSeconds: 60', 'expireInSeconds: 3'],
        ['retryBackoff: true', 'retryBackoff: false'],
      ],
      once: 'engine',
    },
    {
      name: 'graphile-worker',
      start: postgresServer,
      env: ({ url }) => ({ DATABASE_URL: url }),
      changes: [
        ['maxAttempts: 5', 'maxAttempts: 2'],
        ["interval '60 seconds'", "interval '3 seconds'"],
        ['10_000)', '1000)'],
      ],
      once: 'store',
      packages: { 'graphile-worker': '^0.17.3', pg: '^8.23.1' },
    },
    {
      name: 'rabbitmq',
      start: runningRabbitmq,
      env: ({ url }) => ({ AMQP_URL: url }),
      changes: [
        ["NAME = 'webhooks'", `NAME = '${unique()}'`],
        ['delay(1000)', 'delay(100)'],
      ],
      once: 'store',
      ordered: true,
      packages: { amqplib: '^2.3.1' },
    },
    {
      name: 'nats',
      start: natsServer,
      env: ({ url }) => ({ NATS_URL: url }),
      changes: [
        ['ack_wait: nanos(60_000)', 'ack_wait: nanos(2000)'],
        ['nak(1000)', 'nak(100)'],
      ],
      once: 'engine',
      ordered: true,
      packages: { '@nats-io/jetstream': '^3.4.0', '@nats-io/transport-node': '^3.4.0' },
    },
    {
      name: 'sqs',
      start: startSqs,
      env: ({ url }) => ({
        QUEUE_URL: new URL('/000000000000/webhooks.fifo', url).href,
        DEAD_QUEUE_URL: new URL('/000000000000/dead.fifo', url).href,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      }),
      changes: [
        ['MessageGroupId: id', "MessageGroupId: 'one customer'"],
        ['VisibilityTimeout: 60', 'VisibilityTimeout: 2'],
      ],
      once: 'store',
      ordered: true,
      packages: { '@aws-sdk/client-sqs': '^3.1164.0', fauxqs: '^2.4.1' },
    },
  ]
}

/** The one that runs on this machine, or at AMQP_URL. It is not ours to kill. */
async function runningRabbitmq() {
  const url = process.env.AMQP_URL ?? 'amqp://127.0.0.1:5672'
  const { hostname, port } = new URL(url)
  if (!(await isListening(Number(port || 5672), hostname)))
    throw new Unavailable(`No RabbitMQ responds at ${hostname}:${port || 5672}. Set AMQP_URL.`)
  return { url, isShared: true }
}
