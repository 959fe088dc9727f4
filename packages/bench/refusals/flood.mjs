import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { messageOf } from '../http/body.mjs'
import { startContestant } from '../http/contestant.mjs'
import { quartiles } from '../ratios.mjs'
import { canForgetPeak, forgetPeak, peakOf, residentOf } from './memory.mjs'

const SIZE = 1024 * 1024
const AT_ONCE = 200
const WAVES = { smoke: 1, quick: 4, full: 18 }

/**
 * The peak of resident memory above the idle server, of each wave of uploads that are refused. Undefined
 * where the system does not tell.
 */
export async function floodOf(contender, where, scale) {
  if (!canForgetPeak()) return {}
  const [unsigned, forged] = [
    await wavesOf(contender, 'unsigned', where, scale),
    await wavesOf(contender, 'forged', where, scale),
  ]
  return { growth: growthOf(unsigned), unsigned, forged }
}

/** On a fresh server, that has answered one delivery. */
async function wavesOf(contender, kind, where, scale) {
  const { pid, refuse, stop } = await startContestant(contender, messageOf(SIZE), where)
  try {
    const idle = await residentOf(pid)
    const peaks = []
    for (let wave = 0; wave < WAVES[scale]; wave++) {
      await forgetPeak(pid)
      await refuse(kind, AT_ONCE, AT_ONCE)
      peaks.push(await peakOf(pid))
    }
    return { idle, peaks }
  } finally {
    await stop()
  }
}

/** The peaks of the last third of the waves against those of the second: in the first the heap finds its size. */
function growthOf({ peaks }) {
  const third = Math.floor(peaks.length / 3)
  const { median: before } = quartiles(peaks.slice(third, -third || undefined))
  return quartiles(peaks.slice(-third).map((peak) => peak / before))
}

export function floodTable(floods) {
  return {
    title: `Refusals: resident memory above idle while ${AT_ONCE} uploads of ${bytes(SIZE)} at once are refused`,
    head: ['', 'contender', 'unsigned, first wave', 'last wave', 'forged, first wave', 'last wave'],
    rows: floods
      .filter(({ growth }) => growth)
      .map(({ framework, name, unsigned, forged }) => [
        framework,
        name,
        ...endsOf(unsigned),
        ...endsOf(forged),
      ]),
    note: 'A forged upload has a signature of the right form, so that it has to be read before it can be refused.',
  }
}

function endsOf({ idle, peaks }) {
  return [peaks[0], peaks.at(-1)].map((peak) => `+ ${bytes(Math.max(0, peak - idle))}`)
}
