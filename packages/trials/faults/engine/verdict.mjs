/** Two clocks of one machine may be read in either order. In milliseconds. */
const SLACK = 5

/** How long after an outage a mark may be late: the next attempt comes after a second, and the client connects. */
const RETRY = 4000

/**
 * What became of the deliveries: `lost` ids have no effect, `early` ones were acknowledged before they had one, and
 * `twice` counts effects beyond the first, by reason.
 *
 * With a lease a second effect is explained where all of this holds: the first was never marked as done, the second
 * comes when the lease of the first is over, and in between the process was killed (`killed`), the store was away
 * until the end of the lease (`away`) or said that the lease was lost (`lost lease`). Any other is `unexplained`, as is
 * every second effect where there is no lease.
 */
export function judge({
  ids,
  effects,
  acknowledged,
  facts,
  kills = new Map(),
  outages = [],
  lease,
}) {
  const claimsOf = (fact) =>
    new Set(facts.filter((entry) => entry.fact === fact).map((entry) => claimOf(entry)))
  const completed = claimsOf('completed')
  const leaseLost = claimsOf('lost')
  const byId = new Map()
  for (const effect of effects.toSorted((one, other) => one.at - other.at)) {
    byId.set(effect.id, [...(byId.get(effect.id) ?? []), effect])
  }
  const twice = { killed: 0, away: 0, 'lost lease': 0, unexplained: 0 }
  const unexplained = []
  for (const all of byId.values()) {
    for (const [index, second] of all.slice(1).entries()) {
      const reason = reasonFor(all[index], second)
      twice[reason]++
      if (reason === 'unexplained') unexplained.push(all)
    }
  }
  return {
    lost: ids.filter((id) => !byId.has(id)),
    early: acknowledged.filter(({ id, at }) => byId.get(id)?.[0].at > at + SLACK),
    twice,
    unexplained,
  }

  function reasonFor(first, second) {
    const end = first.asked + lease * 1000
    if (lease === undefined || second.at < end - SLACK) return 'unexplained'
    if (completed.has(claimOf(first))) return 'unexplained'
    if (kills.has(first.receiver) && kills.get(first.receiver) <= second.at) return 'killed'
    if (outages.some(({ from, to }) => from <= end && to + RETRY >= end)) return 'away'
    return leaseLost.has(claimOf(first)) ? 'lost lease' : 'unexplained'
  }
}

/** One sentence for each promise that a run broke. */
export function violationsOf(name, { lost, early, unexplained }, abandoned) {
  return [
    ...lost.map((id) => `${id} is lost`),
    ...new Set(early.map(({ id }) => `${id} was acknowledged before it had an effect`)),
    ...abandoned.map((id) => `${id} was never acknowledged`),
    ...unexplained.map((effects) => `unexplained effects: ${JSON.stringify(effects)}`),
  ].map((violation) => `${name}: ${violation}`)
}

/** A receiver claims no id twice in a millisecond. */
function claimOf({ id, receiver, asked }) {
  return `${receiver} ${asked} ${id}`
}
