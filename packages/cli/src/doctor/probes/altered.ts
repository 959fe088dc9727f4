import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import { changed, delivery, INSTANCE, type Shot, SIGNATURE, type Source } from '../shot.ts'
import { signature } from '../signature.ts'
import { indented } from '../spelling.ts'
import { refusing } from './one-shot.ts'

/** Bodies that are not the bytes that were signed. */
export const alteredProbes: readonly Probe[] = [
  altered('altered-body', 'one character of the body changed', 'verifies-nothing', (shot) =>
    replaced(shot, Buffer.from(INSTANCE), Buffer.from(`${INSTANCE.slice(0, -1)}R`)),
  ),
  altered('altered-newline', 'a line feed added', 'decoded-text', (shot) => ({
    ...shot,
    body: Buffer.concat([shot.body, Buffer.from('\n')]),
  })),
  altered('altered-mark', 'a byte order mark added', 'decoded-text', (shot) => ({
    ...shot,
    body: Buffer.concat([MARK, shot.body]),
  })),
  altered('altered-replacement', 'byte FF in place of a signed U+FFFD', 'decoded-text', (shot) =>
    replaced(shot, Buffer.from('\ufffd'), Buffer.from([0xff])),
  ),
  refusing({
    id: 'altered-spelling',
    group: 'forged',
    sends: 'indented, its MAC over compact JSON',
    fault: 'reserialised-json',
    shots: (source) => [reserialised(source)],
  }),
]

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

function altered(id: string, sends: string, fault: Fault, change: (shot: Shot) => Shot): Probe {
  return refusing({
    id,
    group: 'forged',
    sends,
    fault,
    shots: (source) => [change(delivery(source, { text: 'lost: \ufffd' }))],
  })
}

function replaced(shot: Shot, from: Buffer, to: Buffer): Shot {
  const at = shot.body.indexOf(from)
  const body = [shot.body.subarray(0, at), to, shot.body.subarray(at + from.length)]
  return { ...shot, body: Buffer.concat(body) }
}

function reserialised(source: Source): Shot {
  const shot = delivery(source, { spelling: indented })
  const timestamp = shot.headers.find(([name]) => name === 'X-Webhook-Timestamp')?.[1] ?? ''
  const written = Buffer.from(JSON.stringify(JSON.parse(shot.body.toString())))
  return changed(shot, SIGNATURE, () => signature(source.secret, timestamp, written))
}
