import type { DeliveryReport } from '@webhook-receiver/emulator'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLiveTable } from '../src/emulate/live-table.ts'
import { start } from './invoke.ts'
import { serving } from './receiver.ts'
import { Screen } from './screen.ts'

const HEADING = /^time {5}event /
const ROW = /^\d\d:\d\d:\d\d \S+ +(\S{8}) /
const SUMMARY = /^(\d+) deliveries in /

function found(lines: readonly string[], pattern: RegExp): readonly string[] {
  return lines.flatMap((line) => pattern.exec(line)?.slice(-1) ?? [])
}

function report(index: number, outcome: DeliveryReport['outcome'] = 'delivered'): DeliveryReport {
  const about = { event: 'message.read', instanceId: 'i', webhook: 'w', url: 'http://localhost/' }
  const id = String(index).padStart(8, '0')
  return { ...about, id, createdAt: 0, fault: undefined, outcome, attempts: [] }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => report(index).id)

describe('the live table of emulate', () => {
  /** Refuses the first request of every third delivery. */
  const url = () => {
    const seen: unknown[] = []
    return serving((req, res) => {
      const id = req.headers['x-webhook-id']
      const first = !seen.includes(id)
      if (first) seen.push(id)
      const status = first && seen.length % 3 === 0 ? 503 : 204
      req.resume().on('end', () => res.writeHead(status).end())
    })
  }
  const args = ['--rate', '200', '--forward']

  it.each([
    [100, 30],
    [80, 12],
    [40, 4],
    [20, 2],
    [80, 1],
  ])('has each row and the summary once, with %i columns and %i rows', async (columns, rows) => {
    const size = { columns, rows }
    const running = start(['emulate', '--rounds', '8', '--retries', '0.3', ...args, await url()], {
      tty: true,
      size,
    })
    const { code, out } = await running.ended
    expect(code).toBe(0)
    const screen = new Screen(columns, rows)
    screen.write(out)
    const lines = screen.lines()
    expect(found(lines, SUMMARY)).toEqual(['56'])
    expect(lines.filter((line) => HEADING.test(line))).toHaveLength(1)
    // An id of 8 characters ends in column 40.
    const shown = lines.filter((line) => /^\d\d:\d\d:\d\d /.test(line))
    expect(shown).toHaveLength(56)
    if (columns > 40) expect(new Set(found(lines, ROW)).size).toBe(56)
    expect(lines.at(-1)).toMatch(SUMMARY)
  })

  it('has each row and the summary once after Ctrl-C, while deliveries are pending', async () => {
    const running = start(['emulate', ...args, await url()], { tty: true })
    await running.until(/[1-9]\d* pending/)
    running.interrupt()
    const { out } = await running.ended
    const screen = new Screen(100, 30)
    screen.write(out)
    const lines = screen.lines()
    const [deliveries] = found(lines, SUMMARY)
    expect(found(lines, SUMMARY)).toHaveLength(1)
    const rows = found(lines, ROW)
    expect(rows).toHaveLength(Number(deliveries))
    expect(new Set(rows).size).toBe(rows.length)
    expect(lines.at(-1)).toMatch(SUMMARY)
  })
})

describe('a live table', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const tableOn = (screen: Screen) =>
    createLiveTable(
      screen,
      (_, text) => text,
      () => '9 deliveries in 9 requests',
    )
  const redraw = () => vi.advanceTimersByTime(100)

  it('keeps the rows of deliveries that finish faster than it draws', () => {
    const screen = new Screen(80, 10)
    const table = tableOn(screen)
    for (let index = 0; index < 500; index++) table.update(report(index))
    redraw()
    expect(found(screen.lines(), ROW)).toEqual(ids(500))
    expect(screen.lines().at(-1)).toBe('9 deliveries in 9 requests')
    table.end()
    expect(screen.lines().at(-1)).toMatch(ROW)
  })

  it('shows what is pending below what has finished, and each of them once', () => {
    const screen = new Screen(80, 10)
    const table = tableOn(screen)
    for (let index = 0; index < 20; index++) table.update(report(index, 'pending'))
    redraw()
    expect(found(screen.lines(), ROW)).toEqual(ids(20).slice(-5))
    expect(screen.lines().at(-1)).toContain(', 20 pending')
    for (let index = 19; index >= 10; index--) {
      table.update(report(index))
      redraw()
    }
    expect(found(screen.lines(), ROW)).toEqual([
      ...ids(20).slice(10).reverse(),
      ...ids(10).slice(-5),
    ])
    table.end()
    expect(found(screen.lines(), ROW).toSorted()).toEqual(ids(20))
  })

  it.each([
    [120, 40],
    [200, 12],
    [50, 24],
    [31, 24],
    [80, 8],
  ])('has each row once after the terminal of 80 × 24 became one of %i × %i', (columns, rows) => {
    const screen = new Screen(80, 24)
    const table = tableOn(screen)
    for (let index = 0; index < 60; index++) {
      table.update(report(index, 'pending'))
      if (index === 30) screen.resize(columns, rows)
      if (index >= 6) table.update(report(index - 6))
      redraw()
    }
    table.end()
    const rowsShown = screen.lines().filter((line) => /^\d\d:\d\d:\d\d /.test(line))
    expect(rowsShown).toHaveLength(60)
    expect(screen.lines().filter((line) => HEADING.test(line))).toHaveLength(1)
    expect(screen.lines().join('\n')).not.toContain('9 deliveries')
  })

  it('draws nothing after its end', () => {
    const screen = new Screen(80, 10)
    const table = tableOn(screen)
    table.update(report(1, 'pending'))
    table.end()
    const lines = screen.lines()
    table.update(report(1))
    table.update(report(2))
    redraw()
    expect(screen.lines()).toEqual(lines)
    expect(found(lines, ROW)).toEqual(['00000001'])
  })

  it('is empty where nothing was sent, and takes a terminal without a size for 80 × 24', () => {
    const screen = new Screen(0, 0)
    tableOn(screen).end()
    expect(screen.lines()).toEqual([''])
    const table = tableOn(screen)
    table.update(report(1))
    screen.columns = 0
    const writes: string[] = []
    screen.write = (text: string) => writes.push(text) > 0
    table.end()
    expect(writes.join('')).toContain('00000001')
  })
})
