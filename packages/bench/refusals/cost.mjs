import { spread } from '@webhook-receiver/tools/figures.mjs'
import { messageOf } from '../http/body.mjs'
import { startContestant } from '../http/contestant.mjs'
import { interleaved, ratioOf, tooNoisy } from '../ratios.mjs'

const SIZE = 600
const SCALES = {
  smoke: { rounds: 1, block: 20, share: 0.01 },
  quick: { rounds: 7, block: 200, share: 1 },
  full: { rounds: 25, block: 400, share: 1 },
}

/**
 * The CPU of a request without a signature, or with a wrong one, against a genuine one: blocks of each in
 * turn, to one server. Genuine ones come twice, as the control.
 */
export async function costOf(contender, where, scale) {
  const { rounds, block, share } = SCALES[scale]
  const { warmUp, measure, refuse, stop } = await startContestant(contender, messageOf(SIZE), where)
  try {
    await warmUp(share)
    for (const kind of ['unsigned', 'forged']) await refuse(kind, Math.ceil(4000 * share))
    const samples = await interleaved(
      [
        { name: 'genuine', sample: () => measure(block) },
        { name: 'again', sample: () => measure(block) },
        { name: 'unsigned', sample: () => refuse('unsigned', block) },
        { name: 'forged', sample: () => refuse('forged', block) },
      ],
      rounds,
    )
    const against = (name) =>
      ratioOf(
        samples[name].map(({ cpu }) => cpu),
        samples.genuine.map(({ cpu }) => cpu),
      )
    return {
      ratio: against('unsigned'),
      forged: against('forged'),
      noisy: tooNoisy(against('again')),
    }
  } finally {
    await stop()
  }
}

export function costTable(costs) {
  return {
    title: 'Refusals: CPU of a request against a genuine one, 600 B',
    head: ['', 'contender', 'unsigned', 'forged', ''],
    rows: costs.map(({ framework, name, ratio, forged, noisy }) => [
      framework,
      name,
      spread(ratio),
      spread(forged),
      noisy ? 'too noisy' : '',
    ]),
  }
}
