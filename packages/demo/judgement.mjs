import { isDeepStrictEqual } from 'node:util'

/** Holds one answer, and what the handler printed, against what should have become of the delivery. */
export function judge({ delivery, application, answer }) {
  const printed = linesOf(application).filter((line) => line?.id === delivery.sent.id)
  const { id, event, data } = delivery.sent
  const seen =
    printed.length === 1 &&
    isDeepStrictEqual(printed[0], { id, event, instance_id: data.instance_id })
  const problems = []
  if (!isRight(answer.outcome, delivery.status)) {
    problems.push(`outcome ${answer.outcome}, should be ${delivery.status}`)
  }
  if (delivery.seen && !seen) {
    problems.push(`the handler printed ${JSON.stringify(printed)}, should be this delivery, once`)
  }
  if (!delivery.seen && printed.length > 0) problems.push('the handler ran, and should not have')
  return {
    ...answer,
    delivery,
    seen: seen ? 'seen' : printed.length > 0 ? 'odd' : '—',
    problems: problems.map((problem) => `${application.name}, ${delivery.name}: ${problem}`),
  }
}

/** Standard output may hold one line for each delivery that was sent to the application and nothing else. */
export function judgeOutput(application, sent) {
  const own = sent.filter((one) => one.application === application)
  const ids = new Set(own.map(({ delivery }) => delivery.sent.id))
  const odd = linesOf(application).filter((line) => !ids.has(line?.id))
  return {
    problems: odd.map(
      (line) => `${application.name}: standard output also holds ${JSON.stringify(line)}`,
    ),
  }
}

/** The delivery is genuine, but a parser has eaten it: the sender has to come again, the operator to be told. */
export function judgeParserFirst({ delivery, application, answer }) {
  const judged = judge({
    delivery: { ...delivery, name: 'genuine', status: 500, seen: false },
    application,
    answer,
  })
  const line = application.stderr.split('\n').find((text) => text.startsWith('[webhook-receiver]'))
  if (line?.includes('body_already_read') && line.includes('jsonParser')) return { ...judged, line }
  const problem = `${application.name}: standard error does not name the parser that ran first`
  return { ...judged, line, problems: [...judged.problems, problem] }
}

/** For a genuine delivery any 2xx will do. */
function isRight(outcome, expected) {
  return expected === 204 ? outcome >= 200 && outcome < 300 : outcome === expected
}

/** What an application printed: a value for each line of JSON, the text of any other. */
function linesOf({ stdout }) {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line)
      } catch {
        return line
      }
    })
}
