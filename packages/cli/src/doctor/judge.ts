import type { Answer } from './bench.ts'
import type { Fault } from './faults.ts'
import type { Effect, Finding } from './probe.ts'
import type { Shot } from './shot.ts'

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

/** The finding where each of these shots should be accepted and handled once. */
export function allAccepted(shots: readonly Shot[], answers: readonly Answer[]): Finding {
  return {
    observed: outcomes(answers),
    problems: problems(answers, isAccepted, 'a 2xx'),
    effects: shots.map(handledOnce),
  }
}

/** The finding where each of these shots should be refused as the sender's fault, and nothing run. */
export function allRefused(
  shots: readonly Shot[],
  answers: readonly Answer[],
  faults: { readonly failure?: Fault; readonly unseen?: Fault } = {},
): Finding {
  const wrong = answers.find((answer) => !isRefused(answer))
  const fault = wrong && refusalFault(wrong, faults)
  return {
    observed: outcomes(answers),
    problems: problems(answers, isRefused, 'a 4xx'),
    // Of several wrong answers an acceptance is the one that counts.
    ...(fault !== undefined && !answers.some(isAccepted) && { fault }),
    effects: shots.filter(({ id }) => id !== '').map(neverHandled),
  }
}

export function problems(
  answers: readonly Answer[],
  right: (answer: Answer) => boolean,
  wanted: string | ((answer: Answer) => string),
): string[] {
  return answers.flatMap((answer, index) => {
    if (right(answer)) return []
    const which = answers.length > 1 ? `request ${index + 1}: ` : ''
    const what = typeof wanted === 'string' ? wanted : wanted(answer)
    return [`${which}expected ${what} answer, got ${described(answer)}`]
  })
}

export function outcomes(answers: readonly Answer[]): string[] {
  return answers.map(({ outcome }) => outcome)
}

export function handledOnce({ id }: Shot): Effect {
  return { id, runs: 1, more: 'handled-twice', less: 'not-handled' }
}

export function neverHandled({ id }: Shot): Effect {
  return { id, runs: 0, more: 'handled-unverified', less: 'handled-unverified' }
}

function refusalFault(
  answer: Answer,
  faults: { readonly failure?: Fault; readonly unseen?: Fault },
): Fault {
  if (isFailure(answer)) return faults.failure ?? 'refusal-5xx'
  return isStatus(answer) ? 'redirects' : (faults.unseen ?? 'no-answer')
}

const WORDS: Readonly<Record<string, string>> = {
  closed: 'a connection that was closed without an answer',
  cut: 'an answer that was cut off',
  garbage: 'something that is no HTTP',
  timeout: 'none in time',
  unreachable: 'no connection',
}

function described({ outcome, why }: Answer): string {
  return `${WORDS[outcome] ?? outcome}${why === undefined ? '' : ` (${why})`}`
}
