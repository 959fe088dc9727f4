import { Bench } from '../../src/doctor/bench.ts'
import { examine } from '../../src/doctor/examine.ts'
import { foldFailures } from '../../src/doctor/folding.ts'
import { makeObserver } from '../../src/doctor/observer.ts'
import { PROBE_EVENT, PROBES } from '../../src/doctor/probes/index.ts'
import { readReceiverUrl } from '../../src/doctor/receiver-url.ts'
import type { Report } from '../../src/doctor/report.ts'
import { SECRET } from './receiver.ts'

interface Settings {
  /** Where the runs of the handler are asked for. */
  readonly observe?: string
  readonly secret?: string
  readonly ca?: readonly string[]
}

/** The report on a running receiver, without the command line. */
export async function examined(url: string, settings: Settings = {}): Promise<Report> {
  const { observe, secret = SECRET, ca } = settings
  const source = {
    secret,
    event: PROBE_EVENT,
    data: {},
    oversize: 10 * 1024 * 1024,
    now: Date.now,
  }
  const bench = new Bench(readReceiverUrl(url, ca), source, 2500)
  const observer = observe === undefined ? undefined : makeObserver(observe, {})
  const results = await examine(bench, PROBES, { observe: observer })
  return {
    url,
    event: PROBE_EVENT,
    observed: observe !== undefined,
    results,
    diagnoses: foldFailures(results),
  }
}
