import { COLD, startMeasuredServer } from '../http/measured-server.mjs'
import { messageOf } from '../messages.mjs'
import { interleaved, merged, ratioOf, tooNoisy } from '../statistics.mjs'

const KINDS = ['valid', 'control', 'unsigned', 'forged']
const SCALES = {
  smoke: { processes: 1, rounds: 1, block: 20, share: 0.01 },
  quick: { processes: 4, rounds: 3, block: 200, share: 1 },
  full: { processes: 4, rounds: 10, block: 400, share: 1 },
}

/**
 * The CPU time of a request without a signature, or with a wrong one, relative to a valid one, `cold` and `warm`: blocks of
 * each in turn, to one server, in four processes. Valid ones come twice, as the control.
 */
export async function costOf(subject, where, scale) {
  const { processes, ...counts } = SCALES[scale]
  const all = []
  for (let run = 0; run < processes; run++) all.push(await oneProcess(subject, where, counts))
  const [cold, warm] = ['cold', 'warm'].map((phase) =>
    ratiosOf(merged(all.map((taken) => taken[phase]))),
  )
  return { cold, warm }
}

async function oneProcess(subject, where, { rounds, block, share }) {
  const body = messageOf(600)
  const server = await startMeasuredServer(subject, where)
  const measureAll = (requests, ...counts) => {
    const sampled = KINDS.map((name) => ({
      name,
      sample: () =>
        name === 'unsigned' || name === 'forged'
          ? server.sendRejected(name, body, requests)
          : server.measure(body, requests),
    }))
    return interleaved(sampled, ...counts)
  }
  try {
    const cold = await measureAll(Math.ceil((COLD * share) / KINDS.length / 5), 5, 0)
    await server.warmUp(share)
    await measureAll(Math.ceil(4000 * share), 0)
    return { cold, warm: await measureAll(block, rounds) }
  } finally {
    await server.stop()
  }
}

/** The ratios of the kinds that are rejected; undefined where the control fails. */
function ratiosOf(samples) {
  const cpu = (name) => samples[name].map((sample) => sample.cpu)
  const relative = (name) => ratioOf(cpu(name), cpu('valid'))
  if (tooNoisy(relative('control'))) return undefined
  return { unsigned: relative('unsigned'), forged: relative('forged') }
}
