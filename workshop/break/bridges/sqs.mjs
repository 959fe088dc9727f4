// An emulator of Amazon SQS with one FIFO queue and its dead-letter queue. The SDK of AWS talks to it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { HOST, installRuntimes } from '@webhook-receiver/checks/packed/runtimes/install.mjs'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { untilListening } from '@webhook-receiver/checks/receive.mjs'

const REDRIVE = {
  deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead.fifo',
  maxReceiveCount: 4,
}
const QUEUES = Object.entries({
  dead: {},
  webhooks: { RedrivePolicy: JSON.stringify(REDRIVE) },
}).map(([name, more]) => ({ name: `${name}.fifo`, attributes: { FifoQueue: 'true', ...more } }))

/** @param {string} folder in which it is installed */
export async function startSqs(folder) {
  // It needs Node 22.
  const [node] = await installRuntimes(join(folder, 'runtime'), [HOST])
  const [port] = await freePorts(1)
  const queues = join(folder, 'queues.json')
  await writeFile(queues, JSON.stringify({ queues: QUEUES }))
  const program = startProgram(node.binary, [join(folder, 'node_modules/fauxqs/dist/cli.js')], {
    env: { FAUXQS_PORT: `${port}`, FAUXQS_INIT: queues },
  })
  await untilListening(port, program)
  const url = `http://127.0.0.1:${port}`
  // It keeps nothing on a disk.
  return { url, isShared: true, remove: () => program.stop('SIGKILL') }
}
