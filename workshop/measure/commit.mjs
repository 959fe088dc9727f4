import { builtCommit, commitOf, previousCommit, ROOT } from './checkout.mjs'
import { sizeText } from './messages.mjs'
import { addSamples, CannotStart, SCALES } from './servers.mjs'
import { compared } from './statistics.mjs'

export const COMPARED_FRAMEWORKS = ['express', 'hono', 'fastify', 'node']

export const COMPARED_SERVICES = ['default', 'stripe', 'github', 'standard-webhooks', 'twilio']

const SIZES = [600, 8 * 1024]

/** The most processes of an arm before a figure is left undecided. */
const MOST = 16

/** The CPU time of a request that a handler receives, relative to the handler of another commit. */
export async function measure(rounds, { base, framework: frameworks, service: services }) {
  const isSmoke = rounds === 1
  // To see that it runs, this checkout is compared with itself: another one would have to be built.
  const commit = isSmoke ? undefined : await commitOf(base ?? (await previousCommit()))
  const root = commit ? await builtCommit(commit) : ROOT
  const chosen = isSmoke
    ? services.map((service, index) => [frameworks[index % frameworks.length], service])
    : services.flatMap((service) => frameworks.map((framework) => [framework, service]))
  const rows = []
  for (const [framework, service] of chosen) {
    console.error(`${service} to ${framework} …`)
    for (const [size, figure] of await figuresOf({ framework, service }, root, isSmoke)) {
      const row = [
        `${service} to ${framework}, ${sizeText(size)}`,
        commit?.slice(0, 8) ?? 'itself',
        text(figure),
      ]
      console.error(row.join('  '))
      rows.push(row)
      if (!isSmoke && figure.verdict === 'above') process.exitCode = 1
    }
  }
  return rows
}

/** What `compared` says of each size. */
async function figuresOf(application, root, isSmoke) {
  const head = { ...application, form: 'handler', root: ROOT }
  const base = { ...head, root }
  const samples = new Map(SIZES.map((size) => [size, { head: [], base: [], control: [] }]))
  const undecided = new Map(samples)
  for (let started = 0; started < (isSmoke ? 1 : MOST) && undecided.size > 0; started++) {
    try {
      await addSamples({ head, base, control: base }, undecided, SCALES[isSmoke ? 'smoke' : 'full'])
    } catch (error) {
      if (!(error instanceof CannotStart) || error.arm.root === ROOT) throw error
      const [reason = ''] = /^\w*Error: .*/m.exec(error.cause.message) ?? []
      return SIZES.map((size) => [size, { verdict: 'cannot start', reason }])
    }
    for (const [size, taken] of undecided) {
      const { ends, ratio, control } = compared(taken)
      console.error(`  ${sizeText(size)}: ${ratio.toFixed(2)}, control ${control.toFixed(2)} …`)
      if (ends) undecided.delete(size)
    }
  }
  return Array.from(samples, ([size, taken]) => [size, compared(taken)])
}

function text({ verdict, reason, ratio, interval, quartiles, low, control, samples }) {
  if (!samples) return `${verdict}: ${reason}`
  const of = (...numbers) => numbers.map((number) => number.toFixed(2)).join('–')
  return `${of(ratio)} (${of(...interval)}), ${verdict}; quartiles ${of(...quartiles)}, 20th percentiles ${of(low)}, control ${of(control)}, ${samples} samples`
}
