import { randomUUID } from 'node:crypto'
import { withHeader } from '@webhook-receiver/emulator/internal'
import type { Response } from '../client.ts'
import type { Effect, Observation, Runs } from '../probe.ts'
import type { ProbeRequest } from '../request.ts'
import { handledOnce, isAccepted, isRejected, outcomes, problemsOf } from '../response.ts'

const IN_PROGRESS = ['409', '425', '429', '503']

/** Repeated deliveries. Only a count of the handler's runs fully decides these probes. */
export const repetitionProbes: Runs = {
  duplicate: async (client) => {
    const request = await client.make()
    const responses = await client.sendSeparately([request, request])
    return observation(responses, isAccepted, once(request))
  },
  'duplicate-concurrent': async (client) => {
    const request = await client.make()
    const responses = await client.sendConcurrently([request, request])
    const right = (response: Response) =>
      isAccepted(response) || (responses.some(isAccepted) && IN_PROGRESS.includes(response.outcome))
    return observation(responses, right, once(request))
  },
  'header-id-reused': async (client) => {
    const request = await client.make()
    const other = await client.make({ webhookId: request.id })
    const responses = await client.sendSeparately([request, request, other])
    const problem = 'the other delivery got the same response as the duplicate'
    const effect = { ...handledOnce(other), faultIfLess: 'header-id-deduplicated' } as const
    return observation(responses, isAccepted, effect, isLastLike(responses, 1) && problem)
  },
  'header-id-changed': async (client) => {
    const request = await client.make()
    const headers = withHeader(request.headers, client.idHeader, randomUUID())
    const responses = await client.sendSeparately([request, request, { ...request, headers }])
    const right = (one: Response) => isAccepted(one) || (one === responses[2] && isRejected(one))
    const problem = 'the replay got the same response as the first one'
    const effect = { ...once(request), faultIfMore: 'header-id-deduplicated' } as const
    const isSame = isLastLike(responses, 0)
    const found = observation(responses, right, effect, isSame && problem)
    return isSame ? { ...found, fault: 'header-id-deduplicated' } : found
  },
}

function observation(
  responses: readonly Response[],
  right: (response: Response) => boolean,
  effect: Effect,
  problem: string | false = false,
): Observation {
  const problems = problemsOf(responses, right, '2xx')
  return {
    observed: outcomes(responses),
    problems: problem === false ? problems : [...problems, problem],
    effects: [effect],
    needsEffects: true,
  }
}

function once(request: ProbeRequest): Effect {
  return { ...handledOnce(request), faultIfMore: 'not-deduplicated' }
}

/**
 * Whether the last of three responses equals the one at `index`, and the first two differ: then they show what the
 * receiver treats as a duplicate.
 */
function isLastLike(responses: readonly Response[], index: 0 | 1): boolean {
  // Without what differs each time: ids, times and counts.
  const [first, duplicate, last] = responses.map(
    ({ outcome, body = '' }) => `${outcome} ${body.replace(/[\da-f]{8}-[\da-f-]{27}|\d+/gi, '#')}`,
  )
  const like = index === 0 ? first : duplicate
  return responses.every(isAccepted) && first !== duplicate && last === like
}
