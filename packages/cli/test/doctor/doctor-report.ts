import { ProbeClient } from '../../src/doctor/client.ts'
import { groupFailures } from '../../src/doctor/groups.ts'
import { makeObserver } from '../../src/doctor/observer.ts'
import { PROBE_EVENT, PROBES } from '../../src/doctor/probes/index.ts'
import type { Report } from '../../src/doctor/run-doctor.ts'
import { runProbes } from '../../src/doctor/run-probes.ts'
import { SECRET } from './receiver.ts'

interface Settings {
  /** Where the runs of the handler are asked for. */
  readonly observe?: string
  readonly secret?: string
  readonly ca?: readonly string[]
}

/** The report on a running receiver, without the command line. */
export async function doctorReport(url: string, settings: Settings = {}): Promise<Report> {
  const { observe, secret = SECRET, ca } = settings
  const probeSettings = {
    secret,
    event: PROBE_EVENT,
    data: {},
    oversize: 10 * 1024 * 1024,
    now: Date.now,
  }
  const client = new ProbeClient(new URL(url), probeSettings, 10_000, ca)
  const observer = observe === undefined ? undefined : makeObserver(observe, {})
  const results = await runProbes(client, PROBES, { observe: observer })
  return {
    url,
    event: PROBE_EVENT,
    observed: observe !== undefined,
    results,
    faults: groupFailures(results),
  }
}
