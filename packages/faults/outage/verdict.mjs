import { answersOf } from '../chaos/sender.mjs'
import { brokenBy, judge } from '../chaos/verdict.mjs'

/** In how many milliseconds a receiver has to acknowledge again after its server is back. */
const RECOVERY = 5000

/** The default of `storeTimeout`, and what a busy machine may add to it, in milliseconds. */
const STORE_TIMEOUT = 2000
const BUSY = 500

/** For so many milliseconds what a killed server had started may still go on. */
const DYING = 250

export const HEAD = [
  'store',
  'lease',
  'outages',
  'deliveries',
  'requests',
  '2xx',
  '500',
  '503',
  'other',
  'while away: 503',
  '2xx',
  'slowest',
  'back after (ms)',
  'effects',
  'lost',
  'early 2xx',
  'twice in the window',
  'twice outside',
]

/** The figures of one run as a row of the table, and the promises that were broken. */
export function figuresOf({
  store,
  lease,
  version,
  ids,
  outages,
  answers,
  sender,
  facts,
  effects,
}) {
  const { acknowledged, abandoned } = sender
  const verdict = judge({ ids, effects, acknowledged, facts, outages, lease })
  const { unexplained, ...explained } = verdict.twice
  const inWindow = Object.values(explained).reduce((sum, count) => sum + count, 0)
  const sums = answersOf(sender.outcomes)

  const away = answers.filter((answer) => outages.some((outage) => isDuring(outage, answer)))
  const refused = away.filter(({ outcome }) => outcome === 503)
  const accepted = away.filter(({ outcome }) => outcome >= 200 && outcome < 300).length
  const slowest = Math.round(Math.max(0, ...away.map(({ milliseconds }) => milliseconds)))
  const back = outages.map(({ starting, to }) => {
    const first = acknowledged.find(({ at }) => at > starting)
    return first ? Math.max(0, first.at - to) : Number.POSITIVE_INFINITY
  })

  const name = lease === undefined ? store : `${store}, lease of ${lease} s`
  return {
    version,
    row: [
      store,
      lease === undefined ? '–' : `${lease} s`,
      outages.length,
      ids.length,
      sums.requests,
      sums['2xx'],
      sums[500],
      sums[503],
      sums.refused + sums['cut off'],
      refused.length,
      accepted,
      `${slowest} ms`,
      back.join(', '),
      verdict.effects,
      verdict.lost.length,
      verdict.early.length,
      inWindow,
      unexplained,
    ].map(String),
    broken: [
      ...brokenBy(verdict, abandoned, name),
      ...told(accepted > 0, `${name}: ${accepted} × 2xx without a server`),
      ...told(refused.length === 0, `${name}: nothing was refused while the server was away`),
      ...told(
        refused.length < away.length - accepted,
        `${name}: something other than 503 while the server was away`,
      ),
      ...told(slowest > STORE_TIMEOUT + BUSY, `${name}: an answer took ${slowest} ms`),
      ...told(sums['cut off'] > 0, `${name}: ${sums['cut off']} requests without an answer`),
      ...told(sums.refused > 0, `${name}: ${sums.refused} requests were refused`),
      // In a transaction the handler's own statement fails with its server, and that is a 500.
      ...told(sums[500] > 0 && lease !== undefined, `${name}: ${sums[500]} × 500`),
      ...back
        .filter((time) => time > RECOVERY)
        .map((time) => `${name}: acknowledged again only after ${time} ms`),
    ],
  }
}

/** Whether a request was sent and answered while there was no server. */
function isDuring({ gone, starting }, { at, milliseconds }) {
  return at - milliseconds >= gone + DYING && at <= starting
}

function told(broken, how) {
  return broken ? [how] : []
}
