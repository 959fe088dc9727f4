import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { ROOT } from './checkout.mjs'
import { LIBRARIES } from './libraries.mjs'
import { sizeText } from './messages.mjs'
import { addSamples, SCALES } from './servers.mjs'
import { relative } from './statistics.mjs'

/** Of the bodies, in bytes. */
const SIZES = [600, 8 * 1024, 64 * 1024, 512 * 1024]

/** Libraries that are compared over HTTP as well, where and with which sizes. */
const COMPARED = {
  names: ['stripe', '@octokit/webhooks-methods', 'standardwebhooks'],
  frameworks: ['express', 'hono'],
  sizes: [8 * 1024, 64 * 1024],
}

/** Of each subject. */
const PROCESSES = 6

/** The CPU time of a request to an application on each framework, relative to plain node:crypto and to other libraries. */
export async function measure(rounds) {
  const isSmoke = rounds === 1
  const rows = []
  for (const framework of [...FRAMEWORKS, 'node']) {
    rows.push(await rowOf({ framework, sizes: SIZES }, isSmoke))
  }
  for (const library of COMPARED.names) {
    for (const framework of COMPARED.frameworks) {
      rows.push(await rowOf({ framework, library, sizes: COMPARED.sizes }, isSmoke))
    }
  }
  return rows
}

/** Each subject has several processes. */
async function rowOf({ framework, library, sizes }, isSmoke) {
  console.error(`http: ${framework}, ${library ?? 'plain'} …`)
  const service = LIBRARIES[library]?.service ?? 'default'
  const form = framework === 'node' ? 'handler' : 'middleware'
  const plain = { framework, service, library }
  const subjects = { plain, control: plain, receiver: { framework, service, form, root: ROOT } }
  const samples = new Map(sizes.map((size) => [size, { plain: [], control: [], receiver: [] }]))
  for (let started = 0; started < (isSmoke ? 1 : PROCESSES); started++) {
    await addSamples(subjects, samples, SCALES[isSmoke ? 'smoke' : 'full'])
  }
  return [
    `request to ${framework}, ${sizes.map(sizeText).join('; ')}`,
    library ? `\`${library}\`` : 'plain `node:crypto`',
    Array.from(samples.values(), (taken) => relative(taken, 'receiver')).join('; '),
  ]
}
