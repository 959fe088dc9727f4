import { spawn } from 'node:child_process'
import type { DoctorReport, ExaminedProbe, Inspector } from '@webhook-receiver/inspector'
import type { CommandContext } from './command-context.ts'
import type { Finding } from './doctor/probe.ts'
import { PROBES } from './doctor/probes/index.ts'
import { runDoctor } from './doctor/run-doctor.ts'

/** The options of the commands that have a page. */
export interface PageOptions {
  readonly ui?: true | undefined
  readonly open?: true | undefined
}

export const PAGE_FLAGS: {
  readonly ui: readonly ['--ui', description: string]
  readonly open: readonly ['--open', description: string]
} = {
  ui: ['--ui', 'show the deliveries on a page on this machine'],
  open: ['--open', 'open that page in the browser'],
}

/**
 * The page, where it is asked for; `start` serves it. It is loaded only now: the start of the command line does not wait
 * for it.
 */
export async function makeInspector(
  { ui, open }: PageOptions,
  settings: {
    readonly tolerance?: number
    readonly limit?: number
    readonly apiKey?: string | undefined
  },
  { now }: CommandContext,
): Promise<Inspector | undefined> {
  if (ui !== true && open !== true) return undefined
  const { createInspector } = await import('@webhook-receiver/inspector')
  return createInspector({ ...settings, now, doctor: examine })
}

/** Serves the page, says where, and opens it if that is asked for. */
export async function showInspector(
  inspector: Inspector,
  { open }: PageOptions,
  { stderr }: CommandContext,
): Promise<void> {
  const url = await inspector.start()
  stderr.write(`The inspector is at ${url}\n`)
  if (open !== true) return
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => stderr.write('The browser could not be opened: open the address.\n'))
  child.unref()
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

async function examine(
  { url, secret }: { readonly url: string; readonly secret: string },
  {
    signal,
    onProgress,
  }: {
    readonly signal: AbortSignal
    readonly onProgress: (probes: readonly ExaminedProbe[]) => void
  },
): Promise<DoctorReport> {
  const probes = new Map(
    PROBES.map(({ id, group, sends, expects }) => {
      const waiting = { id, group, sends, expects, verdict: 'waiting', observed: [], problems: [] }
      return [id, waiting satisfies ExaminedProbe as ExaminedProbe]
    }),
  )
  const update = (id: string, change: Partial<ExaminedProbe>) => {
    const before = probes.get(id)
    if (before) probes.set(id, { ...before, ...change })
    onProgress([...probes.values()])
  }
  const report = await runDoctor({
    url,
    secret,
    signal,
    // It was given to this command, to send deliveries to.
    yes: true,
    onProbe: ({ id }) => update(id, { verdict: 'running' }),
    onFinding: ({ id }, { observed, problems }: Finding) =>
      update(id, { verdict: problems.length === 0 ? 'passed' : 'failed', observed, problems }),
  })
  return {
    diagnoses: report.diagnoses.map(({ cause, fix, probes }) => ({ cause, fix, probes })),
    probes: report.results.map(({ probe, verdict, observed, problems, note }) => {
      const { id, group, sends, expects } = probe
      return { id, group, sends, expects, verdict, observed, problems, note }
    }),
  }
}
