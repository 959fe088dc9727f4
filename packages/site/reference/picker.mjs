import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'

/** What the sample of the home page can be for, each with one of its events. The sample itself is for the first one. */
const EVENTS = {
  stripe: 'invoice.paid',
  github: 'push',
  openai: 'response.completed',
  slack: 'app_mention',
  clerk: 'user.created',
  shopify: 'orders/create',
  resend: 'email.bounced',
  paddle: 'transaction.completed',
  linear: 'Issue',
}

const services = Object.entries(EVENTS)
  .map(([name, event]) => ({
    name,
    event,
    file: join(ROOT, `packages/schemes/services/${name}.json`),
  }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, event, file }) => ({ name, event, ...JSON.parse(readFileSync(file, 'utf8')) }))

/** In the order of the bar; the default format is the last one. */
export const CHOSEN = [...services.map(({ name }) => name), 'own']

/** The bar, and the beginning of the part that is for all services. */
export function picker() {
  const buttons = services.map(({ name, title, variable, event }) =>
    button(name, title, ` data-secret="${variable}" data-event="${event}"`),
  )
  const bar = [...buttons, button('own', 'Your own')].join('\n')
  const part = CHOSEN.slice(0, -1).join(' ')
  return `<fieldset class="choice-bar" aria-label="service">\n${bar}\n</fieldset>\n<div data-value="${part}">`
}

function button(name, title, data = '') {
  return `<button type="button" data-choose="${name}" data-value="${name}"${data}>${title}</button>`
}
