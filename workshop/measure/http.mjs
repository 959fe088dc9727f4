import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { ROOT } from './checkout.mjs'
import { LIBRARIES } from './libraries.mjs'
import { sizeText } from './messages.mjs'
import { addSamples, SCALES } from './servers.mjs'
import { relative } from './statistics.mjs'

/** Of the bodies, in bytes. */
const SIZES = [600, 8 * 1024]

/** Of each subject. */
const PROCESSES = 6

/** The CPU time of a request to an application on each framework, relative to careful code by hand and to other libraries. */
export async function measure(rounds) {
  const isSmoke = rounds === 1
  const rows = []
  for (const framework of FRAMEWORKS) {
    for (const form of ['middleware', 'handler']) {
      rows.push(await rowOf({ framework, form }, isSmoke))
    }
  }
  rows.push(await rowOf({ framework: 'node', form: 'handler' }, isSmoke))
  for (const library of Object.keys(LIBRARIES)) {
    rows.push(await rowOf({ framework: 'express', form: 'handler', library }, isSmoke))
  }
  return rows
}

/** Each subject has several processes. */
async function rowOf({ framework, form, library }, isSmoke) {
  console.error(`http: ${form} of ${framework}, ${library ?? 'by hand'} …`)
  const service = LIBRARIES[library]?.service ?? 'default'
  const plain = { framework, service, library }
  const subjects = { plain, control: plain, receiver: { framework, service, form, root: ROOT } }
  const samples = new Map(SIZES.map((size) => [size, { plain: [], control: [], receiver: [] }]))
  for (let started = 0; started < (isSmoke ? 1 : PROCESSES); started++) {
    await addSamples(subjects, samples, SCALES[isSmoke ? 'smoke' : 'full'])
  }
  return [
    `request to the ${form} of ${framework}, ${SIZES.map(sizeText).join('; ')}`,
    library ? `\`${library}\`` : 'careful code by hand',
    Array.from(samples.values(), (taken) => relative(taken)).join('; '),
  ]
}
