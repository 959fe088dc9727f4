import { run } from '@webhook-receiver/checks/step.mjs'
import { interleaved, quartiles } from './statistics.mjs'

const NAMES = ['@webhook-receiver/core', '@webhook-receiver/express']

/** The import of a package in a fresh process. */
export async function measure(rounds) {
  const samplers = NAMES.map((name) => [name, () => importTimeOf(import.meta.resolve(name))])
  const empty = () => importTimeOf('data:text/javascript,')
  const samples = await interleaved({ ...Object.fromEntries(samplers), empty }, rounds)
  return NAMES.map((name) => {
    const beyond = samples[name].map((sample, round) => (sample - samples.empty[round]) / 1000)
    return [`import of ${name}`, 'an empty module', `${quartiles(beyond).median.toFixed(1)} ms`]
  })
}

/** The µs of CPU. */
async function importTimeOf(url) {
  const program = `const before = process.cpuUsage(); await import('${url}'); const { user, system } = process.cpuUsage(before); console.log(user + system)`
  return Number(await run(process.execPath, ['--input-type=module', '--eval', program]))
}
