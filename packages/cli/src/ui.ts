import { spawn } from 'node:child_process'
import type { Inspector, InspectorOptions } from '@webhook-receiver/inspector'
import {
  type CommandContext,
  type MoreKeys,
  type StartRow,
  shellWord,
  takeKeys,
  wrap,
  writeStart,
} from './console/index.ts'
import type { SigningOptions } from './options/index.ts'

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
  { now, args = [] }: CommandContext,
): Promise<Inspector | undefined> {
  if (ui !== true && open !== true) return undefined
  const { createInspector } = await import('@webhook-receiver/inspector')
  const command = ['npx webhook-receiver', ...args.map(shellWord)].join(' ')
  return createInspector({ ...settings, command, now })
}

/** Says that a command has started which keeps running, unless there is nothing to say, and takes its keys; the page opens where that is asked for. */
export function started(
  command: string,
  rows: readonly StartRow[],
  page: string | undefined,
  { open: opens, json }: UiOptions & Pick<SigningOptions, 'json'>,
  context: CommandContext,
  more?: MoreKeys,
): ReturnType<typeof takeKeys> {
  const open = page === undefined ? undefined : () => openPage(page, context)
  const keys = takeKeys(context, { json, open, more })
  if (rows.length > 0 || page) {
    writeStart(command, [...rows, ['Inspector', page]], context)
    context.stderr.write(`${wrap(keys.hint, 2).join('\n')}\n\n`)
  }
  if (opens) open?.()
  return keys
}

function openPage(url: string, { stderr }: CommandContext): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => stderr.write('The browser could not be opened: open the address.\n'))
  child.unref()
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
