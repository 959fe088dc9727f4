import { startMeasuredServer } from '../http/measured-server.mjs'
import { canResetPeak, peakOf, resetPeak, residentOf } from '../memory.mjs'
import { messageOf } from '../messages.mjs'

export const SIZE = 1024 * 1024
export const AT_ONCE = 200
const WAVES = { smoke: 1, quick: 4, full: 18 }

/**
 * The peak of resident memory above the idle server, of each wave of uploads that are rejected. Undefined
 * where the system does not measure it.
 */
export async function floodOf(subject, where, scale) {
  if (!canResetPeak()) return undefined
  return {
    unsigned: await wavesOf(subject, 'unsigned', where, scale),
    forged: await wavesOf(subject, 'forged', where, scale),
  }
}

/** On a fresh server that has accepted one delivery. */
async function wavesOf(subject, kind, where, scale) {
  const { pid, sendRejected, stop } = await startMeasuredServer(subject, where)
  const body = messageOf(SIZE)
  try {
    const idle = await residentOf(pid)
    const peaks = []
    for (let wave = 0; wave < WAVES[scale]; wave++) {
      await resetPeak(pid)
      await sendRejected(kind, body, AT_ONCE, AT_ONCE)
      peaks.push(Math.max(0, (await peakOf(pid)) - idle))
    }
    return peaks
  } finally {
    await stop()
  }
}
