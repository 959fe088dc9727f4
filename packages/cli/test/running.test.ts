import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { type CommandContext, takeKeys } from '../src/console/index.ts'
import { SECRET, start, words } from './invoke.ts'

function contextOn(isTTY: boolean) {
  const stream = () => Object.assign(new PassThrough(), { isTTY })
  const modes: boolean[] = []
  const stdin = Object.assign(stream(), { setRawMode: (raw: boolean) => modes.push(raw) })
  const [stdout, stderr] = [stream(), stream()]
  const { signal } = new AbortController()
  const context: CommandContext = {
    stdin,
    stdout,
    stderr,
    env: { NO_COLOR: '1' },
    signal,
    now: Date.now,
  }
  return { context, stdin, stdout, stderr, modes }
}

it.each(['q', '\u0003'])('the key %j ends a command, and the terminal is as before', (key) => {
  const { context, stdin, modes } = contextOn(true)
  const keys = takeKeys(context, {})
  expect(keys.hint).toBe('Press c to clear the screen, q to quit.')
  stdin.emit('data', key)
  expect([keys.signal.aborted, context.signal.aborted]).toEqual([true, false])
  expect(modes).toEqual([true, false])
})

it('o opens the inspector and c clears the screen; elsewhere than on a terminal there are no keys', () => {
  const { context, stdin, stdout } = contextOn(true)
  let opened = 0
  const keys = takeKeys(context, { open: () => (opened += 1) })
  stdin.emit('data', 'oc')
  expect([opened, String(stdout.read()), keys.signal.aborted]).toEqual([
    1,
    '\u001b[2J\u001b[3J\u001b[H',
    false,
  ])
  keys.end()
  stdin.emit('data', 'q')
  expect(keys.signal.aborted).toBe(false)
  for (const none of [takeKeys(contextOn(false).context, {}), takeKeys(context, { json: true })]) {
    expect(none.hint).toBe('Press Ctrl-C to stop.')
  }
})

it('q ends listen as Ctrl-C does: 0', async () => {
  const listener = start(words`listen --port 0`, { tty: true })
  await listener.until(/q\s+to\s+quit/)
  listener.stdin.write('q')
  const { code, err } = await listener.ended
  expect([code, err]).toEqual([0, expect.stringContaining('0 requests, 0 valid, 0 rejected.')])
  expect(err).not.toContain(SECRET)
})
