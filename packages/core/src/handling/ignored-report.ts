import { processWide } from '../copies/process-wide.ts'
import { DEFAULT_ENDPOINT } from '../option-rules.ts'
import { LONGEST_LINE, oneLine, pageAt, placeOf } from '../reject/log-line.ts'
import { nearest } from '../validate/suggestion.ts'
import type { HandlingHook } from './steps.ts'

/** How many events have a line, in the whole process: some services do not sign the name of an event, so that anybody can make up any number. */
const MOST = 32

/**
 * The default `onIgnored`: one line on standard error for each name of an event that no handler is for.
 *
 * @param names What there are handlers for.
 */
export function createIgnoredReport(names: readonly string[], endpoint: string): HandlingHook {
  const eventsSaid = processWide('ignored', () => new Set<string>())
  return ({ event = '', action }) => {
    if (eventsSaid.size >= MOST) return
    const name = action === undefined ? event : `${event}.${action}`
    const meant = nearest(name, names)
    // Whoever handles one action leaves the others out on purpose, unless the name is misspelt.
    const key = `${endpoint} ${oneLine(meant === undefined ? event : name)}`
    if (eventsSaid.has(key)) return
    eventsSaid.add(key)
    console.warn(lineOf(name, meant ?? nearest(event, names), endpoint))
  }
}

function lineOf(name: string, meant: string | undefined, endpoint: string): string {
  const what = name === '' ? 'a delivery that names no event' : quoted(name)
  const place = placeOf(endpoint === DEFAULT_ENDPOINT ? undefined : endpoint, undefined)
  const question = meant === undefined ? '' : `; did you mean ${quoted(meant)}?`
  const lineWith = (text: string) =>
    `[webhook-receiver] No handler for ${what}${text}${text.endsWith('?') ? '' : '.'} Add \`any\` to handle everything.`
  const whole = lineWith(place + question)
  const line = whole.length > LONGEST_LINE ? lineWith(question) : whole
  return `${line} ${pageAt('guides/handlers')}`
}

/** The name of an event, which may be anybody's text, and must not look like a part of the sentence. */
function quoted(name: string): string {
  const text = oneLine(JSON.stringify(name.slice(0, 50)).slice(1, -1)).replaceAll("'", '’')
  return `'${text.length > 36 ? `${text.slice(0, 36)}…` : text}'`
}
