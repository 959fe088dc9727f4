import { getEventListeners } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { wait } from '../../src/async/wait.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
/** Whether a wait is over, as it changes. */
function watched(waiting: Promise<void>) {
  const state = { over: false }
  waiting.then(() => {
    state.over = true
  })
  return state
}

test('waits as long as it is told', async () => {
  const state = watched(wait(100))
  await vi.advanceTimersByTimeAsync(99)
  expect(state.over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(state.over).toBe(true)
})

test('takes less than nothing for no time', async () => {
  const timer = vi.spyOn(globalThis, 'setTimeout')
  const state = watched(wait(-5))
  await vi.advanceTimersByTimeAsync(0)
  expect(state.over).toBe(true)
  expect(timer).toHaveBeenCalledWith(expect.any(Function), 0)
})

test('ends when the signal is aborted, and leaves no timer and no listener behind', async () => {
  const controller = new AbortController()
  const state = watched(wait(1000, controller.signal))
  controller.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.over).toBe(true)
  expect(vi.getTimerCount()).toBe(0)

  const other = new AbortController()
  watched(wait(1, other.signal))
  await vi.advanceTimersByTimeAsync(1)
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
})

test('does not begin where the signal is aborted already', async () => {
  await wait(1000, AbortSignal.abort())
  expect(vi.getTimerCount()).toBe(0)
})
