import { suggestion } from '@webhook-receiver/core/internal'
import type { InboxState } from '@webhook-receiver/inbox'
import { UsageError } from '../console/index.ts'

export const STATES: readonly InboxState[] = ['waiting', 'running', 'done', 'dead']

/** Without an action, the command counts. */
const ACTIONS = ['list', 'show', 'retry']

/** The actions that each option is for. */
const USES: Readonly<Record<string, readonly string[]>> = {
  state: ['list', 'retry'],
  service: ['list', 'retry'],
  before: ['list', 'retry'],
  limit: ['list'],
  after: ['retry'],
  rate: ['retry'],
}

const ID = /^[1-9]\d{0,17}$/

/** @throws UsageError that names the mistake: nothing that was typed is ignored. */
export function checkAction(
  action: string,
  ids: readonly string[],
  isTyped: (option: string) => boolean,
): void {
  if (action !== 'count' && !ACTIONS.includes(action)) {
    throw new UsageError(`There is no action ${JSON.stringify(action)}. ${insteadOf(action, ids)}`)
  }
  const mistake = mistakeOf(action, ids)
  if (mistake) throw new UsageError(mistake)
  for (const option of Object.keys(USES).filter(isTyped)) {
    const actions = USES[option] ?? []
    if (!actions.includes(action)) {
      throw new UsageError(`--${option} is for ${actions.join(' and ')}.`)
    }
    if (ids.length > 0) throw new UsageError(`Use ids or --${option}, not both.`)
  }
  if (action === 'retry' && ids.length === 0 && !isTyped('state')) {
    throw new UsageError('retry needs ids, or --state dead.')
  }
}

/** What is wrong with the ids of an action. */
function mistakeOf(action: string, ids: readonly string[]): string | undefined {
  const wrong = ids.find((id) => !ID.test(id))
  const what = `${JSON.stringify(wrong)} is not an id`
  if (wrong && isState(wrong)) {
    return `${what}. Use inbox ${action === 'retry' ? 'retry' : 'list'} --state ${wrong}.`
  }
  if (action === 'list' || action === 'count') {
    const use = wrong === undefined ? ` Use inbox show ${ids.join(' ')}.` : ''
    return ids.length > 0 ? `${action} takes no ids.${use}` : undefined
  }
  if (wrong?.includes(',')) return `${what}. Put spaces between ids.`
  if (wrong !== undefined) return `${what}, such as 17. inbox list has them.`
  if (action === 'show' && ids.length === 0) {
    return 'show needs ids, such as inbox show 17. inbox list has them.'
  }
  return undefined
}

/** What somebody meant who left out the action, or misspelt it. */
function insteadOf(action: string, ids: readonly string[]): string {
  if (isState(action)) return `Use inbox list --state ${action}.`
  if (ID.test(action)) return `Use inbox show ${[action, ...ids].join(' ')}.`
  return suggestion(action, ACTIONS).trim() || 'Use list, show or retry.'
}

function isState(word: string): boolean {
  return STATES.some((state) => state === word)
}
