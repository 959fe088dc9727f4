import { appendFileSync, openSync, readFileSync, readSync } from 'node:fs'
import { VitestTestRunner } from 'vitest/runners'
import { getFn } from 'vitest/suite'
import { BROKEN, FAILED } from './report.mjs'

// The real ones, also while a test has put others in their place.
const { setTimeout, clearTimeout } = globalThis

const { journal, drawn, only, every, budget, slow } = JSON.parse(process.env.MUTATION)

const ONCE = 'passes only once in a process'

/** How often a test may ask whether a mutant is switched on, and how many times as often as without one. */
const [MOST, TIMES] = [100_000, 20]

const switches = { mutantCoverage: { static: {}, perTest: {} }, questions: 0, most: Infinity }
globalThis.__stryker__ = switches

/** The ids of the mutants to try. */
const wanted = new Set(JSON.parse(readFileSync(drawn, 'utf8')))

/** The ids of mutants that any process has killed. */
const killed = new Set()
const file = openSync(journal, 'r')
let read = 0

/** Whether a mutant has run in this process, which it may have left in any state. */
let used = false

/**
 * Runs a test as it is, and then again with each mutant that it reaches, until one fails.
 *
 * A failure counts only when the same test has just passed without a mutant, so nothing that one mutant
 * leaves behind in the process kills the next one.
 */
export default class MutationRunner extends VitestTestRunner {
  onCollected(files) {
    super.onCollected?.(files)
    let vectors = 0
    const walk = (task) => {
      task.concurrent = false
      for (const child of task.tasks ?? []) walk(child)
      if (task.type !== 'test') return
      // The vectors of describeAdapter: "group-12: what it is".
      const left = /^[a-z0-9-]+: /.test(task.name) && vectors++ % every !== 0
      if (left || (only && !only.includes(task.id))) task.mode = 'skip'
      else {
        // Its valueOf is asked before each further run.
        task.repeats = new Trial(task)
        write({ found: task.id, test: nameOf(task) })
      }
    }
    for (const task of files) walk(task)
  }

  async onBeforeTryTask(test, ...rest) {
    await super.onBeforeTryTask?.(test, ...rest)
    // What `expect().rejects` of a run that was given up still waits for.
    test.promises = undefined
    test.repeats.begin()
  }

  async runTask(test) {
    const started = performance.now()
    if (switches.activeMutant === undefined) {
      await getFn(test)()
      test.repeats.took = performance.now() - started
      return
    }
    await within(Math.max(1500, 5 * test.repeats.took), getFn(test)())
  }

  async onAfterRetryTask(test, ...rest) {
    await super.onAfterRetryTask?.(test, ...rest)
    switches.activeMutant = undefined
    switches.currentTestId = undefined
    if (!(test.repeats instanceof Trial)) return
    test.repeats.end(test.result)
    test.result.state = 'pass'
    test.result.errors = undefined
  }

  async onAfterRunTask(test) {
    // What goes to the main process has to be plain.
    test.repeats?.finish?.()
    test.repeats = 0
    test.result.repeatCount = 0
    await super.onAfterRunTask?.(test)
  }
}

class Trial {
  /** Of the last run without a mutant, in milliseconds. */
  took = 0
  #test
  #round = 0
  #questions = 0
  #waiting = []
  #current
  #proven = false
  #cleanFailures = 0
  #limit = Infinity
  #over = false
  #tried = []

  constructor(test) {
    this.#test = test
  }

  valueOf() {
    return this.#over ? -1 : Infinity
  }

  begin() {
    const { id } = this.#test
    switches.currentTestId = id
    switches.mutantCoverage.perTest[id] = {}
    switches.questions = 0
    switches.most = this.#current === undefined ? Infinity : MOST + TIMES * this.#questions
    switches.activeMutant = this.#current
  }

  end(result) {
    const passed = result.state === 'pass'
    this.#round++
    if (this.#round <= 2) return this.#unmutated(passed, result)
    if (this.#current === undefined) {
      this.#cleanFailures = passed ? 0 : this.#cleanFailures + 1
      this.#proven = passed
      // Whatever broke it, nothing that follows here could be believed.
      if (this.#cleanFailures === 4) return this.#stop(BROKEN)
      if (passed) this.#next()
      return
    }
    this.#judge(passed, result)
  }

  #unmutated(passed, result) {
    if (!passed) {
      const reason = used ? BROKEN : FAILED
      const [message] = result.errors?.[0]?.message.split('\n') ?? []
      return this.#stop(this.#round === 1 ? `${reason}: ${message}` : `${ONCE}: ${message}`)
    }
    if (this.took > slow) return this.#stop('takes over two seconds')
    // In the second run, so what a module does once, when it is loaded, is not in it.
    if (this.#round === 1) return
    this.#questions = switches.questions
    const reached = Object.keys(switches.mutantCoverage.perTest[this.#test.id])
    write({ reached })
    catchUp()
    this.#waiting = reached.filter((id) => wanted.has(id) && !killed.has(id))
    this.#limit = performance.now() + budget
    this.#proven = true
    this.#next()
  }

  #judge(passed, result) {
    const id = this.#current
    if (passed) {
      this.#proven = false
      this.#next()
    } else if (this.#proven) {
      const how = /timed out|Too many questions/.test(result.errors?.[0]?.message)
        ? 'timeout'
        : 'killed'
      killed.add(id)
      write({ id, how, by: this.#test.name })
      this.#current = undefined
    } else {
      // Once more, from a state that is known to be good.
      this.#waiting.unshift(id)
      this.#current = undefined
    }
  }

  #next() {
    if (this.#waiting.length === 0) return this.#stop()
    if (performance.now() > this.#limit) return this.#stop('out of time')
    this.#current = this.#waiting.shift()
    used = true
    this.#tried.push(this.#current)
  }

  #stop(reason) {
    if (reason) write({ stopped: reason, of: this.#test.id, left: this.#waiting.length })
    this.#over = true
    this.#current = undefined
  }

  finish() {
    write({ ended: this.#test.id, tried: this.#tried })
  }
}

/** With its file: names of tests repeat. */
function nameOf({ file, name }) {
  return `${file.name.replace('packages/', '')}: ${name}`
}

/** A mutant that hangs is not waited for as long as a slow machine is. */
async function within(milliseconds, run) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out with a mutant')), milliseconds)
  })
  await Promise.race([run, late]).finally(() => clearTimeout(timer))
}

/** What has happened elsewhere since it was last looked at. */
function catchUp() {
  const buffer = Buffer.alloc(1 << 16)
  let text = ''
  for (let size = 1; size > 0; ) {
    size = readSync(file, buffer, 0, buffer.length, read)
    read += size
    text += buffer.toString('latin1', 0, size)
  }
  for (const [, id] of text.matchAll(/^{"id":"(\d+)"/gm)) killed.add(id)
}

function write(entry) {
  appendFileSync(journal, `${JSON.stringify(entry)}\n`)
}
