import { fileURLToPath } from 'node:url'
import { createEmulator } from '@webhook-receiver/emulator'
import { startProgram } from '@webhook-receiver/tools/program.mjs'
import { createDelivery, randomSecret, signedRequest } from '@webhook-receiver/tools/signing.mjs'
import { send } from '@webhook-receiver/tools/wire.mjs'

const PROGRAM = fileURLToPath(new URL('receiver.mjs', import.meta.url))
const EVENTS = ['message.received', 'message.sent', 'message.read']

/** An endpoint: a receiver in a process of its own, and the service that sends to it. */
export async function startEndpoint({ endpoint, port, metricsPort, rate, ...settings }, onEnd) {
  const emulator = createEmulator({ retries: [1] })
  await emulator.start()
  onEnd(() => emulator.stop())
  const { secret } = emulator.register({ url: `http://127.0.0.1:${port}/webhooks`, events: EVENTS })
  const given = { endpoint, port, metricsPort, ...settings }
  let receiver
  let sending
  let flooding
  let sent = 0
  let forged = 0

  async function start(secrets = { current: secret }) {
    const args = [PROGRAM, JSON.stringify({ ...given, secrets })]
    receiver = startProgram(process.execPath, args, { ipc: true })
    await receiver.message()
  }

  const found = {
    endpoint,
    send() {
      sending = setInterval(() => {
        const event = EVENTS[sent++ % EVENTS.length]
        // It rejects when the emulator is stopped.
        emulator.emit(event, { text: 'hello' }, { instanceId: 'inst_01' }).catch(() => {})
      }, 1000 / rate)
    },
    silence: () => clearInterval(sending),
    /** Forged requests, `width` at a time, as fast as they are answered. */
    flood(width) {
      flooding = true
      const forge = async () => {
        while (flooding) {
          const request = signedRequest(randomSecret(), createDelivery('message.received'))
          if ((await send(port, request)).outcome === 401) forged++
        }
      }
      for (let each = 0; each < width; each++) void forge()
    },
    forged: () => forged,
    fault: (name) => receiver.child.send(name),
    stop: () => receiver.stop('SIGKILL'),
    /** As a deployment does; with other secrets, if any are given. */
    async restart(secrets) {
      await receiver.stop()
      await start(secrets)
    },
    secret,
  }
  onEnd(() => {
    flooding = false
    clearInterval(sending)
    return receiver.stop('SIGKILL')
  })
  await start()
  return found
}
