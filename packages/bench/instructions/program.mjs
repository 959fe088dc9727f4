// What is counted: node program.mjs plain|receiver BYTES CALLS.
import { messageOf } from '../messages.mjs'
import { parsePlain } from '../verification/plain.mjs'
import { loadReceive } from '../verification/receiver.mjs'

const [subject, bytes, calls] = process.argv.slice(2)
// Every run signs the same bytes.
const now = Date.now()
Date.now = () => now
const body = messageOf(Number(bytes))
const subjects = { plain: () => parsePlain, receiver: loadReceive }
const { call } = (await subjects[subject]())(body, body)
for (let left = Number(calls); left > 0; left--) {
  if (!(await call())) throw new Error('A genuine delivery was refused.')
}
