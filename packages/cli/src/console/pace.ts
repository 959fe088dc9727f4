/** How many lines a second somebody can follow. */
const FOLLOWED = 20

/** Says whether to show a line for what happened: `totals` comes once a second in place of what is hidden. */
export type Pace = (failed: boolean) => 'line' | 'totals' | 'nothing'

/** Above 20 a second, only failures are shown. */
export function createPace(now: () => number): Pace {
  let second = 0
  let count = 0
  let isBusy = false
  let isTold = false
  return (failed) => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      isBusy = current === second + 1 && count > FOLLOWED
      isTold = false
      second = current
      count = 0
    }
    count += 1
    if (count > FOLLOWED) isBusy = true
    if (failed || !isBusy) return 'line'
    if (isTold) return 'nothing'
    isTold = true
    return 'totals'
  }
}
