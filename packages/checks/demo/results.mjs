import { isDeepStrictEqual } from 'node:util'
import { cell, terminalTable, tick, wrap } from '../table.mjs'

/** Compares one response, and what the handler printed, with what is expected of the request. */
export function check({ request, application, outcome, milliseconds }) {
  const { id, event, data } = request.delivery
  const printed = printedBy(application).filter((line) => line?.id === id)
  const expected = { id, event, instance_id: data.instance_id }
  const seen = printed.length === 1 && isDeepStrictEqual(printed[0], expected)
  const problems = []
  if (!isExpected(outcome, request.status)) {
    problems.push(`outcome ${outcome}, should be ${request.status}`)
  }
  if (request.seen && !seen) {
    problems.push(`the handler printed ${JSON.stringify(printed)}, should be this delivery, once`)
  }
  if (!request.seen && printed.length > 0) problems.push('the handler ran, and should not have')
  return {
    ...{ outcome, milliseconds, request },
    seen: seen ? 'seen' : printed.length > 0 ? 'odd' : '—',
    problems: problems.map((problem) => `${application.name}, ${request.name}: ${problem}`),
  }
}

/** Standard output may hold one line for each delivery that was sent to the application and nothing else. */
export function checkOutput(application, exchanges) {
  const own = exchanges.filter((one) => one.application === application)
  const ids = new Set(own.map(({ request }) => request.delivery.id))
  return printedBy(application)
    .filter((line) => !ids.has(line?.id))
    .map((line) => `${application.name}: standard output also holds ${JSON.stringify(line)}`)
}

/** The delivery is valid, but a parser has read it: the sender may retry, and the log names the cause. */
export function checkParserFirst({ request, application, ...response }) {
  const expected = { ...request, name: 'valid', status: 500, seen: false }
  const checked = check({ request: expected, application, ...response })
  const lines = application.output().stderr.split('\n')
  const line = lines.find((text) => text.startsWith('[webhook-receiver]'))
  if (!line?.includes('body_already_read') || !line.includes('jsonParser')) {
    const problem = 'standard error does not name the parser that ran first'
    checked.problems.push(`${application.name}: ${problem}`)
  }
  return { ...checked, line }
}

/** For a valid delivery any 2xx will do. */
function isExpected(outcome, expected) {
  return expected === 204 ? outcome >= 200 && outcome < 300 : outcome === expected
}

/** What an application printed: a value for each line of JSON, the text of any other. */
function printedBy(application) {
  const lines = application.output().stdout.split('\n').filter(Boolean)
  return lines.map((line) => {
    try {
      return JSON.parse(line)
    } catch {
      return line
    }
  })
}

/** Prints all results. `cells` holds one response of each application, request by request. */
export function print({ names, signer, cells, parserCell, wrong, seconds }) {
  const titles = {
    valid: `Signed with ${signer}, not with this library`,
    rejected: 'Signed so too, and not to be accepted',
  }
  const rows = cells.flatMap(({ request: { section, name } }, at) => {
    if (at % names.length !== 0) return []
    const row = [name, ...cells.slice(at, at + names.length).map(cell)]
    return section === cells[at - 1]?.request.section ? [row] : [titles[section], row]
  })
  console.log(`\n${terminalTable(['delivery', ...names], rows)}`)
  console.log(
    `\n${tick(true)} right  ${tick(false)} wrong  ` +
      'seen: the handler printed this delivery, once  —: the handler never ran\n',
  )
  console.log(`A valid delivery behind express.json():  ${cell(parserCell)}`)
  console.log(`The operator of that one reads:\n${wrap(parserCell.line ?? 'nothing', '  ')}\n`)
  if (wrong.length === 0) {
    console.log(`${tick(true)} All ${cells.length + 1} responses are as expected, in ${seconds} s.`)
  } else {
    console.log(`${tick(false)} Wrong:\n${wrong.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}
