import { startMeasuredServer } from '../http/measured-server.mjs'
import { messageOf } from '../messages.mjs'
import { interleaved, ratioOf, tooNoisy } from '../statistics.mjs'

const SIZE = 600
const SCALES = {
  smoke: { rounds: 1, block: 20, share: 0.01 },
  quick: { rounds: 7, block: 200, share: 1 },
  full: { rounds: 25, block: 400, share: 1 },
}

/**
 * The CPU time of a request without a signature, or with a wrong one, relative to a genuine one: blocks of
 * each in turn, to one server. Genuine ones come twice, as the control.
 */
export async function costOf(subject, where, scale) {
  const { rounds, block, share } = SCALES[scale]
  const server = await startMeasuredServer(subject, messageOf(SIZE), where)
  const { warmUp, measure, refuse, stop } = server
  try {
    await warmUp(share)
    for (const kind of ['unsigned', 'forged']) await refuse(kind, Math.ceil(4000 * share))
    const samples = await interleaved(
      [
        { name: 'genuine', sample: () => measure(block) },
        { name: 'control', sample: () => measure(block) },
        { name: 'unsigned', sample: () => refuse('unsigned', block) },
        { name: 'forged', sample: () => refuse('forged', block) },
      ],
      rounds,
    )
    const cpu = (name) => samples[name].map((sample) => sample.cpu)
    const relative = (name) => ratioOf(cpu(name), cpu('genuine'))
    return {
      unsigned: relative('unsigned'),
      forged: relative('forged'),
      noisy: tooNoisy(relative('control')),
    }
  } finally {
    await stop()
  }
}
