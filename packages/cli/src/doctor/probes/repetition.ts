import { randomUUID } from 'node:crypto'
import type { Answer } from '../bench.ts'
import { allAccepted, handledOnce, isAccepted, isRefused, outcomes, problems } from '../judge.ts'
import type { Effect, Probe } from '../probe.ts'
import { changed, delivery, type Shot } from '../shot.ts'

const WAITING = ['409', '425', '429', '503']

/** Deliveries that come again, which only a count of the handler's runs can fully judge. */
export const repetitionProbes: readonly Probe[] = [
  {
    id: 'duplicate',
    group: 'repetition',
    sends: 'the same delivery twice',
    expects: '2xx twice, handled once',
    fault: 'duplicate-refused',
    run: async (bench) => {
      const shot = delivery(bench.source)
      const finding = allAccepted([], await bench.each([shot, shot]))
      return { ...finding, effects: [once(shot)], needsEffects: true }
    },
  },
  {
    id: 'duplicate-concurrent',
    group: 'repetition',
    sends: 'the same delivery twice, at once',
    expects: '2xx for one, 2xx or 409, 425, 429, 503 for the other, handled once',
    fault: 'duplicate-refused',
    run: async (bench) => {
      const shot = delivery(bench.source)
      const answers = await bench.together([shot, shot])
      const right = (answer: Answer) =>
        isAccepted(answer) || (answers.some(isAccepted) && WAITING.includes(answer.outcome))
      return {
        observed: outcomes(answers),
        problems: problems(answers, right, 'a 2xx'),
        effects: [once(shot)],
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
    run: async (bench) => {
      const shot = delivery(bench.source)
      const other = delivery(bench.source, { webhookId: shot.id })
      const answers = await bench.each([shot, shot, other])
      const finding = allAccepted([], answers)
      return {
        ...finding,
        problems: [
          ...finding.problems,
          ...taken(answers, 1, 'the other delivery was answered as the duplicate was'),
        ],
        effects: [{ ...handledOnce(other), less: 'header-id-deduplicated' }],
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
    run: async (bench) => {
      const shot = delivery(bench.source)
      const again = changed(shot, 'X-Webhook-Id', () => randomUUID())
      const answers = await bench.each([shot, shot, again])
      const renewed = taken(answers, 0, 'the replay was answered as the first one was')
      const right = (one: Answer) => isAccepted(one) || (one === answers[2] && isRefused(one))
      return {
        observed: outcomes(answers),
        problems: [...problems(answers, right, 'a 2xx'), ...renewed],
        ...(renewed.length > 0 && { fault: 'header-id-deduplicated' as const }),
        effects: [{ ...once(shot), more: 'header-id-deduplicated' }],
        needsEffects: true,
      }
    },
  },
]

function once(shot: Shot): Effect {
  return { ...handledOnce(shot), more: 'not-deduplicated' }
}

/**
 * The problem that the last of three answers is like that at `index`, where the first two differ: by
 * its answers a receiver can tell what it takes for a duplicate.
 */
function taken(answers: readonly Answer[], index: 0 | 1, problem: string): string[] {
  const [first, duplicate, last] = answers.map(shape)
  const like = index === 0 ? first : duplicate
  return answers.every(isAccepted) && first !== duplicate && last === like ? [problem] : []
}

/** An answer without what is new in each: ids, times and counts. */
function shape({ outcome, body = '' }: Answer): string {
  return `${outcome} ${body.replace(/[\da-f]{8}-[\da-f-]{27}|\d+/gi, '#')}`
}
