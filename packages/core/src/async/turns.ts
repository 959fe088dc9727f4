const MOST_AT_ONCE = 8
const MOST_WAITING = 16

interface Waiting {
  readonly start: () => void
  readonly drop: () => void
}

/**
 * Makes a function that runs a few tasks at the same time and lets a few more wait. When there are too many, it rejects one of those that
 * wait, at random: if it were always the newest, someone who sends many could keep out all others.
 */
export function turns(random: () => number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  const waiting: Waiting[] = []
  let running = 0
  const startNext = () => {
    if (running >= MOST_AT_ONCE) return
    const next = waiting.shift()
    if (next) running++
    next?.start()
  }
  return (task) =>
    new Promise((resolve, reject) => {
      waiting.push({
        start() {
          const end = () => {
            running--
            startNext()
          }
          task().then(resolve, reject).finally(end)
        },
        drop: () => reject(new Error('too many URLs were asked for at the same time')),
      })
      startNext()
      if (waiting.length > MOST_WAITING) {
        const [unlucky] = waiting.splice(Math.floor(random() * waiting.length), 1)
        unlucky?.drop()
      }
    })
}
