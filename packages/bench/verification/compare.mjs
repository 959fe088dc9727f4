import { ratioOf } from '../statistics.mjs'
import { LIBRARIES } from './libraries.mjs'
import { receiverOn } from './receiver.mjs'

const WORK = new Map([...receiverOn('node'), ...LIBRARIES].map(({ name, work }) => [name, work]))

/** What is compared with the same work, done with node:crypto and done by the receiver. */
const PLAIN = {
  mac: 'plain',
  verify: 'plain',
  parse: 'plain + JSON.parse',
  request: 'plain + JSON.parse',
}
const RECEIVER = { verify: 'all checks', parse: 'receive()', request: 'receiveRequest()' }

/** The time of a part of the receiver relative to plain node:crypto; undefined if it was not measured. */
export function relativeToPlain(samples, name) {
  return samples[name] && ratioOf(samples[name], samples[PLAIN[WORK.get(name)]])
}

/** The time of a library relative to the receiver; undefined if one of them was not measured. */
export function relativeToReceiver(samples, library) {
  const receiver = samples[RECEIVER[WORK.get(library)]]
  return samples[library] && receiver && ratioOf(samples[library], receiver)
}

/** The control: plain node:crypto relative to itself. */
export function controlOf(samples, name) {
  const plain = PLAIN[WORK.get(name)]
  return ratioOf(samples[`${plain} again`], samples[plain])
}

/** The libraries that were measured: some do not load on every Node. */
export function librariesIn(series) {
  return LIBRARIES.map(({ name }) => name).filter((name) =>
    series.some(({ samples }) => samples[name]),
  )
}
