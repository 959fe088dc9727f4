// What is counted: node program.mjs SUBJECT BYTES CALLS. A subject is plain, receiver, or FRAMEWORK/NAME, a server in this process.
import { serveInProcess } from '../http/in-process.mjs'
import { listenerOf } from '../http/listener.mjs'
import { requestOf } from '../http/measured-server.mjs'
import { messageOf } from '../messages.mjs'
import { SECRET, signedHeaders } from '../signatures.mjs'
import { parsePlain } from '../verification/plain.mjs'
import { loadReceive } from '../verification/receiver.mjs'

const [subject, bytes, calls] = process.argv.slice(2)
// Every run signs the same bytes.
const now = Date.now()
Date.now = () => now
const body = messageOf(Number(bytes))
const [framework, name] = subject.split('/')
if (name) await countRequests()
else await countCalls({ plain: () => parsePlain, receiver: loadReceive }[subject])

async function countRequests() {
  let taken = 0
  const listener = await listenerOf(framework, name, SECRET, () => {
    taken++
  })
  await serveInProcess(listener, requestOf(body, signedHeaders('own', body)), Number(calls))
  if (taken !== Number(calls)) throw new Error(`${taken} deliveries reached the application.`)
}

async function countCalls(load) {
  const { call } = (await load())(body, body)
  for (let left = Number(calls); left > 0; left--) {
    if (!(await call())) throw new Error('A genuine delivery was refused.')
  }
}
