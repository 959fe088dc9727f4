// A separate process for processes.test.ts, with the built packages.
import { folderQuarantine, redrive } from '@webhook-receiver/quarantine'

const [task, folder, argument] = process.argv.slice(2)

const TASKS = {
  /** Keeps 500 requests that other processes are sent too, and 500 others. */
  async keep() {
    const quarantine = folderQuarantine(folder)
    const kept = Array.from({ length: 1000 }, (_, index) =>
      quarantine.keep({
        at: Date.now(),
        reason: 'signature_mismatch',
        status: 401,
        signatureValid: false,
        method: 'POST',
        target: '/webhooks',
        headers: [],
        rawBody: Buffer.from(index % 2 ? `shared ${index}` : `${argument} ${index}`),
        secrets: [],
      }),
    )
    return (await Promise.all(kept)).filter(Boolean).length
  },

  /** Redrives to the server of the test, which notes what it was sent. */
  async redrive() {
    const outcomes = []
    const deliver = async ({ delivery: { id } }) => {
      const headers = { 'x-process': process.pid }
      await (await fetch(argument, { method: 'POST', body: id, headers })).text()
    }
    const secret = process.env.WEBHOOK_SECRET
    for await (const { outcome } of redrive(folder, { secret, deliver })) outcomes.push(outcome)
    return outcomes
  },
}

process.once('message', async () => {
  process.send(await TASKS[task]())
  process.disconnect()
})
process.send('ready')
