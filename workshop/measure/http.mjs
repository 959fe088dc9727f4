import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { ROOT } from './checkout.mjs'
import { LIBRARIES } from './libraries.mjs'
import { sizeText } from './messages.mjs'
import { compareArms, SIZES } from './servers.mjs'

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

async function rowOf({ framework, form, library }, isSmoke) {
  console.error(`http: ${form} of ${framework}, ${library ?? 'by hand'} …`)
  const service = LIBRARIES[library]?.service ?? 'default'
  const base = { framework, service, library }
  const head = { framework, service, form, root: ROOT }
  const figures = await compareArms({ head, base, control: base }, isSmoke)
  return [
    `request to the ${form} of ${framework}, ${SIZES.map(sizeText).join('; ')}`,
    library ? `\`${library}\`` : 'careful code by hand',
    figures.map(([, figure]) => text(figure)).join('; '),
  ]
}

/** The median of the ratios, ± half the distance of their quartiles. */
function text({ verdict, ratio, quartiles: [low, high] }) {
  if (verdict === 'undecided') return 'too noisy'
  return `${ratio.toFixed(2)} ±${((high - low) / 2).toFixed(2)}`
}
