import { bytes } from '../figures.mjs'
import { BLOCKS, COLD, SMALL, startMeasuredServer } from '../http/measured-server.mjs'
import { messageOf } from '../messages.mjs'
import { interleaved, merged, ratioOf, tooNoisy } from '../statistics.mjs'

const KINDS = ['valid', 'control', 'unsigned', 'forged']
const SCALES = {
  smoke: { processes: 1, rounds: 1, share: 0.01 },
  quick: { processes: 4, rounds: 1, share: 1 },
  full: { processes: 6, rounds: 5, share: 1 },
}

/**
 * The CPU time of a request without a signature, or with a wrong one, relative to a valid one: `cold`, and of each size when
 * it is warm. Blocks of each in turn, to one server, in several processes. Valid ones come twice, as the control.
 */
export async function costOf(subject, where, scale) {
  const { processes, ...counts } = SCALES[scale]
  const all = []
  for (let run = 0; run < processes; run++) all.push(await oneProcess(subject, where, counts))
  const ratios = Object.keys(all[0]).map((phase) => [
    phase,
    ratiosOf(merged(all.map((taken) => taken[phase]))),
  ])
  return Object.fromEntries(ratios)
}

async function oneProcess(subject, where, { rounds, share }) {
  const server = await startMeasuredServer(subject, where)
  const measureAll = (size, requests, ...counts) => {
    const [body, count] = [messageOf(size), Math.ceil(requests * share)]
    const sampled = KINDS.map((name) => ({
      name,
      sample: () =>
        name === 'unsigned' || name === 'forged'
          ? server.sendRejected(name, body, count)
          : server.measure(body, count),
    }))
    return interleaved(sampled, ...counts)
  }
  try {
    const taken = { cold: await measureAll(SMALL, COLD / KINDS.length / 5, 5, 0) }
    await server.warmUp(share)
    await measureAll(SMALL, 4000, 0)
    for (const [size, count] of BLOCKS) taken[bytes(size)] = await measureAll(size, count, rounds)
    return taken
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
