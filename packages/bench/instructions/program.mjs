// What is counted: node program.mjs SUBJECT BYTES CALLS.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'

const [subject, bytes, calls] = process.argv.slice(2)
const secret = 'whsec_instructions'
const timestamp = '1764000000'
const body = bodyOf(Number(bytes))
const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`

const subjects = { ours, textbook }
const call = subjects[subject]()
for (let left = Number(calls); left > 0; left--) {
  if (!(await call())) throw new Error('A genuine delivery was refused.')
}

/** The whole of `receive()`: headers, MAC, age, UTF-8, JSON, depth, envelope. */
function ours() {
  const receiver = createReceiver(secret, { now: () => Number(timestamp) * 1000 })
  const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature }
  return () =>
    receiver.receive({
      method: 'POST',
      header: (name) => headers[name],
      readBody: () => body,
      context: undefined,
    })
}

/** The check that tutorials show, and JSON.parse; awaited as ours is. */
function textbook() {
  return async () => {
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
    const expected = Buffer.from(`sha256=${digest}`)
    const received = Buffer.from(signature)
    return (
      expected.length === received.length &&
      timingSafeEqual(expected, received) &&
      JSON.parse(body.toString())
    )
  }
}

/** A delivery of so many bytes, as messages are: a text, and a little around it. */
function bodyOf(length) {
  const time = new Date(Number(timestamp) * 1000).toISOString()
  const event = 'message.received'
  const written = (text) =>
    Buffer.from(
      JSON.stringify({
        id: '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11',
        event,
        created_at: time,
        data: { instance_id: 'inst_01', event, data: { text }, timestamp: time },
      }),
    )
  return written('x'.repeat(Math.max(0, length - written('').length)))
}
