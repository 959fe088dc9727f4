import type { Answer } from '../bench.ts'
import type { Fault } from '../faults.ts'
import {
  allAccepted,
  handledOnce,
  isAccepted,
  isFailure,
  isRefused,
  isStatus,
  neverHandled,
  outcomes,
  problems,
} from '../judge.ts'
import type { Finding, Probe } from '../probe.ts'
import { delivery, type Shot, type Source } from '../shot.ts'

/** How long nothing may follow an answer, in milliseconds. */
const SILENCE = 250

/** What becomes of a connection after an answer. */
export const connectionProbes: readonly Probe[] = [
  {
    id: 'connection-reused',
    group: 'connection',
    sends: 'one connection: three genuine ones',
    expects: '2xx three times',
    fault: 'body-not-read',
    run: async (bench) => {
      const shots = [1, 2, 3].map(() => delivery(bench.source))
      return allAccepted(shots, await bench.sequence(shots))
    },
  },
  afterRefusals({
    id: 'connection-after-refusal',
    sends: 'one connection: two forged, one genuine',
    taken: 'verifies-nothing',
    refused: (source) => [1, 2].map(() => forged(source, 'x'.repeat(200_000))),
  }),
  afterRefusals({
    id: 'connection-after-oversize',
    sends: 'one connection: too large, then genuine',
    taken: 'no-limit',
    refused: (source) => [delivery(source, { text: 'x'.repeat(source.oversize) })],
  }),
  {
    id: 'body-as-request',
    group: 'connection',
    sends: 'forged, a body that reads like a request',
    expects: '4xx, and nothing after it',
    fault: 'body-as-request',
    run: async (bench) => {
      const inner = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
      const shot = { ...forged(bench.source), body: Buffer.from(inner) }
      const [first, after] = await bench.aftermath(shot, SILENCE)
      const refused = first === undefined ? [] : problems([first], isRefused, 'a 4xx')
      const followed = after !== undefined && (isStatus(after) || after.outcome === 'garbage')
      const second = followed ? ['the body was answered like another request'] : []
      return {
        observed: outcomes(first === undefined ? [] : followed ? [first, after] : [first]),
        problems: [...refused, ...second],
        ...(refused.length > 0 &&
          first !== undefined && { fault: refusedFault(first, 'verifies-nothing') }),
        effects: [],
      }
    },
  },
]

interface AfterRefusals {
  readonly id: string
  readonly sends: string
  /** What is wrong where they are accepted. */
  readonly taken: Fault
  readonly refused: (source: Source) => readonly Shot[]
}

/** On one connection, so many that should be refused and a genuine one behind them. */
function afterRefusals({ id, sends, taken, refused }: AfterRefusals): Probe {
  return {
    id,
    group: 'connection',
    sends,
    expects: '4xx, then 2xx there or on a new connection',
    fault: 'body-not-read',
    run: async (bench) => {
      const bad = refused(bench.source)
      const good = delivery(bench.source)
      return judge(bad, good, taken, await bench.sequence([...bad, good]))
    },
  }
}

function judge(
  bad: readonly Shot[],
  good: Shot,
  taken: Fault,
  answers: readonly Answer[],
): Finding {
  const refusals = answers.slice(0, bad.length)
  const wrong = refusals.find((answer) => isStatus(answer) && !isRefused(answer))
  const right = (answer: Answer) =>
    refusals.includes(answer) ? isRefused(answer) : isAccepted(answer)
  return {
    observed: outcomes(answers),
    problems: problems(answers, right, (answer) => (refusals.includes(answer) ? 'a 4xx' : 'a 2xx')),
    ...(wrong !== undefined && { fault: refusedFault(wrong, taken) }),
    effects: [...bad.map(neverHandled), handledOnce(good)],
  }
}

function forged(source: Source, text = ''): Shot {
  return delivery(source, { text, secret: 'whsec_another' })
}

function refusedFault(answer: Answer, taken: Fault): Fault {
  if (isAccepted(answer)) return taken
  if (isFailure(answer)) return 'refusal-5xx'
  return isStatus(answer) ? 'redirects' : 'body-not-read'
}
