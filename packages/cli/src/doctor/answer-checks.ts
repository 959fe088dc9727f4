import type { Fault } from './faults.ts'
import type { Effect, Finding } from './probe.ts'
import type { Answer } from './probe-client.ts'
import type { ProbeRequest } from './probe-request.ts'

export function isAccepted({ outcome }: Answer): boolean {
  return /^2\d\d$/.test(outcome)
}

export function isRefused({ outcome }: Answer): boolean {
  return /^4\d\d$/.test(outcome)
}

export function isFailure({ outcome }: Answer): boolean {
  return /^5\d\d$/.test(outcome)
}

export function isStatus({ outcome }: Answer): boolean {
  return /^\d{3}$/.test(outcome)
}

/** The finding of a probe whose requests should all be accepted, each handled once. */
export function expectAccepted(
  requests: readonly ProbeRequest[],
  answers: readonly Answer[],
): Finding {
  return {
    observed: outcomes(answers),
    problems: answerProblems(answers, isAccepted, 'a 2xx'),
    effects: requests.map(handledOnce),
  }
}

/** The finding of a probe whose requests should all be refused with a 4xx, without a handler run. */
export function expectRefused(
  requests: readonly ProbeRequest[],
  answers: readonly Answer[],
  faults: { readonly failure?: Fault; readonly noAnswer?: Fault } = {},
): Finding {
  const wrong = answers.find((answer) => !isRefused(answer))
  const fault = wrong && refusalFault(wrong, faults)
  return {
    observed: outcomes(answers),
    problems: answerProblems(answers, isRefused, 'a 4xx'),
    // If any request was accepted, that is the fault to report.
    ...(fault !== undefined && !answers.some(isAccepted) && { fault }),
    effects: requests.filter(({ id }) => id !== '').map(neverHandled),
  }
}

export function answerProblems(
  answers: readonly Answer[],
  right: (answer: Answer) => boolean,
  expected: string | ((answer: Answer) => string),
): string[] {
  return answers.flatMap((answer, index) => {
    if (right(answer)) return []
    const which = answers.length > 1 ? `request ${index + 1}: ` : ''
    const what = typeof expected === 'string' ? expected : expected(answer)
    return [`${which}expected ${what} answer, got ${describeAnswer(answer)}`]
  })
}

export function outcomes(answers: readonly Answer[]): string[] {
  return answers.map(({ outcome }) => outcome)
}

export function handledOnce({ id }: ProbeRequest): Effect {
  return { id, runs: 1, faultIfMore: 'handled-twice', faultIfLess: 'not-handled' }
}

export function neverHandled({ id }: ProbeRequest): Effect {
  return { id, runs: 0, faultIfMore: 'handled-unverified', faultIfLess: 'handled-unverified' }
}

function refusalFault(
  answer: Answer,
  faults: { readonly failure?: Fault; readonly noAnswer?: Fault },
): Fault {
  if (isFailure(answer)) return faults.failure ?? 'refusal-5xx'
  return isStatus(answer) ? 'redirects' : (faults.noAnswer ?? 'no-answer')
}

const WORDS: Readonly<Record<string, string>> = {
  closed: 'a connection that was closed without an answer',
  cut: 'an answer that was cut off',
  garbage: 'something that is not HTTP',
  timeout: 'no answer in time',
  unreachable: 'no connection',
}

function describeAnswer({ outcome, why }: Answer): string {
  return `${WORDS[outcome] ?? outcome}${why === undefined ? '' : ` (${why})`}`
}
