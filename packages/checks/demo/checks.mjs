import { isDeepStrictEqual } from 'node:util'

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
