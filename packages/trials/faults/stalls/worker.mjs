// Diagnoses the requests that it is given, and measures for how long each keeps other work waiting.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { diagnose } from '@webhook-receiver/diagnose'

const WRONG = `sha256=${'ab'.repeat(32)}`

parentPort.on('message', async ({ headers, body, repeats }) => {
  const results = []
  for (let count = 0; count < repeats; count++) results.push(await measured({ headers, body }))
  parentPort.postMessage(results.toSorted((a, b) => a.block - b.block)[0])
})

async function measured({ headers, body }) {
  const input = {
    headers: {
      'X-Webhook-Id': 'del_1',
      'X-Webhook-Timestamp': '1760000000',
      'X-Webhook-Signature': WRONG,
      ...headers,
    },
    body: body ?? new TextEncoder().encode('{"id":"del_1"}'),
    secrets: 'whsec_of_a_measurement',
  }
  let block = 0
  let last = busy()
  let running = true
  const started = performance.now()
  const watched = new Promise((resolve) => {
    setImmediate(function look() {
      const now = busy()
      block = Math.max(block, now - last)
      last = now
      if (running) setImmediate(look)
      else resolve()
    })
  })
  const [{ code }] = await diagnose(input)
  running = false
  const whole = performance.now() - started
  await watched
  return { block, whole, code }
}

/** The milliseconds that this thread has computed for; where the system does not say, those that have gone by. */
function busy() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
