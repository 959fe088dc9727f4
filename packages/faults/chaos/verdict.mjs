/** Two clocks of one machine may be read in either order. In milliseconds. */
const SLACK = 5

/** How long after an outage a mark may be late: the next attempt comes after a second, and the client connects. */
const RETRY = 4000

/**
 * What became of the deliveries: `lost` ids have no effect, `early` ones were acknowledged before they had
 * one, and `twice` counts effects beyond the first, by why.
 *
 * With a lease a second effect is due where all of this holds: the first was never marked as done, the second
 * comes when the lease of the first is over, and in between the process was killed (`killed`), the store was
 * away until the end of the lease (`away`) or said that the lease was lost (`lost lease`). Anything else is
 * `unexplained`, as is every second effect where there is no lease.
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
  const known = (fact) =>
    new Set(facts.filter((entry) => entry.fact === fact).map((entry) => nameOf(entry)))
  const completed = known('completed')
  const leaseLost = known('lost')
  const byId = grouped(effects)
  const twice = { killed: 0, away: 0, 'lost lease': 0, unexplained: 0 }
  const unexplained = []

  for (const [id, all] of byId) {
    all.sort((one, other) => one.at - other.at)
    for (let index = 1; index < all.length; index++) {
      const why = reason(all[index - 1], all[index])
      twice[why]++
      if (why === 'unexplained') unexplained.push({ id, effects: all })
    }
  }

  function reason(first, second) {
    const end = first.asked + lease * 1000
    if (lease === undefined || second.at < end - SLACK) return 'unexplained'
    if (completed.has(nameOf(first))) return 'unexplained'
    if (kills.has(first.receiver) && kills.get(first.receiver) <= second.at) return 'killed'
    if (outages.some(({ from, to }) => from <= end && to + RETRY >= end)) return 'away'
    return leaseLost.has(nameOf(first)) ? 'lost lease' : 'unexplained'
  }

  return {
    lost: ids.filter((id) => !byId.has(id)),
    early: acknowledged.filter(({ id, at }) => byId.has(id) && byId.get(id)[0].at > at + SLACK),
    twice,
    unexplained,
    effects: effects.length,
  }
}

/** The promises that a verdict finds broken, in words. */
export function brokenBy({ lost, early, unexplained }, abandoned, name) {
  return [
    ...lost.map((id) => `${name}: ${id} is lost`),
    ...[...new Set(early.map(({ id }) => id))].map(
      (id) => `${name}: ${id} was acknowledged before it had an effect`,
    ),
    ...abandoned.map((id) => `${name}: ${id} was never acknowledged`),
    ...unexplained.map(
      ({ id, effects }) => `${name}: ${id} has effects for no reason: ${JSON.stringify(effects)}`,
    ),
  ]
}

/** Of one claim, since a receiver claims no id twice in a millisecond. */
function nameOf({ id, receiver, asked }) {
  return `${receiver} ${asked} ${id}`
}

function grouped(effects) {
  const byId = new Map()
  for (const effect of effects) {
    const found = byId.get(effect.id)
    if (found) found.push(effect)
    else byId.set(effect.id, [effect])
  }
  return byId
}
