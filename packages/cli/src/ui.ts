import { spawn } from 'node:child_process'
import type { Inspector, InspectorOptions } from '@webhook-receiver/inspector'
import type { CommandContext } from './console/index.ts'

/** The options of the commands that have a local web UI. */
export interface UiOptions {
  readonly ui?: true | undefined
  readonly open?: true | undefined
}

export const UI_FLAGS = {
  ui: ['--ui', 'show the deliveries in a local web UI'],
  open: ['--open', 'open that page in the browser'],
} as const

/** The local web UI, where it is asked for. It is loaded only now: the start of the command line does not wait for it. */
export async function makeInspector(
  { ui, open }: UiOptions,
  settings: Pick<
    InspectorOptions,
    'scheme' | 'publicUrl' | 'tolerance' | 'limit' | 'apiKey' | 'replies' | 'forwardsTo'
  >,
  { now }: CommandContext,
): Promise<Inspector | undefined> {
  if (ui !== true && open !== true) return undefined
  const { createInspector } = await import('@webhook-receiver/inspector')
  return createInspector({ ...settings, now })
}

/** Opens a page in the browser. */
export function openPage(url: string, { stderr }: Pick<CommandContext, 'stderr'>): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => stderr.write('The browser could not be opened: open the address.\n'))
  child.unref()
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
