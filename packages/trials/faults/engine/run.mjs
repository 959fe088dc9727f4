import { seeded } from '../../random.mjs'
import { createEnvironment } from './environment.mjs'
import { createSender } from './sender.mjs'
import { judge, violationsOf } from './verdict.mjs'

/**
 * What each run has: an environment on a store, the settings of its receivers, and a sender. `evaluate` gives the
 * figures that every run has, and one sentence for each promise that was broken.
 */
export async function prepareRun({ store, url, seed, inFlight, ...settings }, onEnd) {
  const environment = await createEnvironment(store, url, onEnd)
  const secret = `whsec_faults_${seed}`
  const sender = createSender({ secret, random: seeded(seed + 2), inFlight })
  return {
    settings: { ...environment.settings, failures: 0, ...settings, seed, secret },
    sender,
    async evaluate(name, ids, circumstances = {}) {
      const effects = await environment.effects()
      const { acknowledged, abandoned } = sender
      const facts = environment.facts()
      const verdict = judge({ ids, effects, acknowledged, facts, ...circumstances })
      const { unexplained, ...explained } = verdict.twice
      const inWindow = Object.values(explained).reduce((sum, count) => sum + count, 0)
      return {
        inWindow,
        responses: sender.counts,
        figures: {
          ...sender.counts,
          effects: effects.length,
          lost: verdict.lost.length,
          'early 2xx': verdict.early.length,
          'twice in the window': inWindow,
          'twice outside': unexplained,
        },
        violations: violationsOf(name, verdict, abandoned),
      }
    },
  }
}
