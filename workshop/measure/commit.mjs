import { builtCommit, commitOf, previousCommit, ROOT } from './checkout.mjs'
import { sizeText } from './messages.mjs'
import { CannotStart, compareArms, SIZES } from './servers.mjs'

export const COMPARED_FRAMEWORKS = ['express', 'hono', 'fastify', 'node']

export const COMPARED_SERVICES = ['default', 'stripe', 'github', 'standard-webhooks', 'twilio']

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

/** What `compared` says of each size, or why the other checkout has no such application. */
async function figuresOf(application, root, isSmoke) {
  const head = { ...application, form: 'handler', root: ROOT }
  const base = { ...head, root }
  try {
    return await compareArms({ head, base, control: base }, isSmoke)
  } catch (error) {
    if (!(error instanceof CannotStart) || error.arm.root === ROOT) throw error
    const [reason = ''] = /^\w*Error: .*/m.exec(error.cause.message) ?? []
    return SIZES.map((size) => [size, { verdict: 'cannot start', reason }])
  }
}

function text({ verdict, reason, ratio, interval, quartiles, low, control, samples }) {
  if (!samples) return `${verdict}: ${reason}`
  const of = (...numbers) => numbers.map((number) => number.toFixed(2)).join('–')
  return `${of(ratio)} (${of(...interval)}), ${verdict}; quartiles ${of(...quartiles)}, 20th percentiles ${of(low)}, control ${of(control)}, ${samples} samples`
}
