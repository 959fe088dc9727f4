import { randomUUID } from 'node:crypto'
import {
  answerProblems,
  expectAccepted,
  handledOnce,
  isAccepted,
  isRefused,
  outcomes,
} from '../answer-checks.ts'
import type { Effect, Probe } from '../probe.ts'
import type { Answer } from '../probe-client.ts'
import { deliveryRequest, type ProbeRequest, withHeader } from '../probe-request.ts'

const IN_PROGRESS = ['409', '425', '429', '503']

/** Deliveries that are sent again. Only a count of the handler's runs fully decides these probes. */
export const repetitionProbes: readonly Probe[] = [
  {
    id: 'duplicate',
    group: 'repetition',
    sends: 'the same delivery twice',
    expects: '2xx twice, handled once',
    fault: 'duplicate-refused',
    run: async (client) => {
      const request = deliveryRequest(client.settings)
      const finding = expectAccepted([], await client.sendSeparately([request, request]))
      return { ...finding, effects: [once(request)], needsEffects: true }
    },
  },
  {
    id: 'duplicate-concurrent',
    group: 'repetition',
    sends: 'the same delivery twice, at once',
    expects: '2xx for one, 2xx or 409, 425, 429, 503 for the other, handled once',
    fault: 'duplicate-refused',
    run: async (client) => {
      const request = deliveryRequest(client.settings)
      const answers = await client.sendConcurrently([request, request])
      const right = (answer: Answer) =>
        isAccepted(answer) || (answers.some(isAccepted) && IN_PROGRESS.includes(answer.outcome))
      return {
        observed: outcomes(answers),
        problems: answerProblems(answers, right, 'a 2xx'),
        effects: [once(request)],
        needsEffects: true,
      }
    },
  },
  {
    id: 'header-id-reused',
    group: 'repetition',
    sends: 'another delivery, the same X-Webhook-Id',
    expects: '2xx each time, the other one handled too',
    fault: 'header-id-deduplicated',
    run: async (client) => {
      const request = deliveryRequest(client.settings)
      const other = deliveryRequest(client.settings, { webhookId: request.id })
      const answers = await client.sendSeparately([request, request, other])
      const finding = expectAccepted([], answers)
      return {
        ...finding,
        problems: [
          ...finding.problems,
          ...sameAnswerProblem(answers, 1, 'the other delivery was answered as the duplicate was'),
        ],
        effects: [{ ...handledOnce(other), faultIfLess: 'header-id-deduplicated' }],
        needsEffects: true,
      }
    },
  },
  {
    id: 'header-id-changed',
    group: 'repetition',
    sends: 'the same delivery, another X-Webhook-Id',
    expects: '2xx, then 2xx or 4xx, handled once',
    fault: 'replay-refused',
    run: async (client) => {
      const request = deliveryRequest(client.settings)
      const again = withHeader(request, 'X-Webhook-Id', () => randomUUID())
      const answers = await client.sendSeparately([request, request, again])
      const sameAnswer = sameAnswerProblem(
        answers,
        0,
        'the replay was answered as the first one was',
      )
      const right = (one: Answer) => isAccepted(one) || (one === answers[2] && isRefused(one))
      return {
        observed: outcomes(answers),
        problems: [...answerProblems(answers, right, 'a 2xx'), ...sameAnswer],
        ...(sameAnswer.length > 0 && { fault: 'header-id-deduplicated' as const }),
        effects: [{ ...once(request), faultIfMore: 'header-id-deduplicated' }],
        needsEffects: true,
      }
    },
  },
]

function once(request: ProbeRequest): Effect {
  return { ...handledOnce(request), faultIfMore: 'not-deduplicated' }
}

/**
 * The problem, if the last of three answers equals the one at `index` and the first two differ: then the receiver's
 * answers show what it treats as a duplicate.
 */
function sameAnswerProblem(answers: readonly Answer[], index: 0 | 1, problem: string): string[] {
  const [first, duplicate, last] = answers.map(comparable)
  const like = index === 0 ? first : duplicate
  return answers.every(isAccepted) && first !== duplicate && last === like ? [problem] : []
}

/** An answer without what differs each time: ids, times and counts. */
function comparable({ outcome, body = '' }: Answer): string {
  return `${outcome} ${body.replace(/[\da-f]{8}-[\da-f-]{27}|\d+/gi, '#')}`
}
