import { connect } from 'node:net'
import { Answers } from './answers.mjs'
import { isComplete } from './complete.mjs'

/** How long an answer, or the end of a connection, may be waited for, in milliseconds in which the server had time. */
const PATIENCE = 5000

/** How long at all. */
const END = 120_000

/**
 * A server may give up a request that takes longer to come, in milliseconds: a receiver after 1000, and the server of
 * Hono, where nobody reads a body, after 500.
 */
const SLOW = 400

/** How often that is looked at, in milliseconds. */
const CHECK = 500

/** How long a server may be silent before the client takes it to wait for more, in milliseconds. */
const QUIET = 25

/**
 * Sends what was planned for one connection and looks at what comes back: first requests that are answered one
 * by one, then, when they are, what has no right answer. Resolves to the faults, to the
 * number of each status, to the longest time that an answer took, in milliseconds, and
 * to whether a request was given up because it took too long to come.
 *
 * @param {{ port: number, time(): number }} server
 * @param {object} plan
 * @param {import('./framed.mjs').Part[]} plan.parts
 * @param {import('./malformed.mjs').Tail} [plan.tail]
 * @param {number[]} plan.cuts where the bytes of either are divided into writes
 * @param {number} plan.gap milliseconds between two writes
 */
export function session(server, { parts, tail, cuts, gap }) {
  const tokens = new Set([...parts.map(({ token }) => token), ...(tail?.tokens ?? [])])
  const due = tail && isComplete(tail.bytes)
  const answers = new Answers()
  const statuses = {}
  const faults = []
  let answered = 0
  let late = 0
  let stage = 'parts'
  let gaveUp = false
  let longest = 0
  let sent = performance.now()
  let timer
  let quiet

  return new Promise((resolve) => {
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    })
    wait(() => `not answered in ${PATIENCE} ms: ${nameOf(answered)}`)
    socket.on('error', () => {})
    socket.once('connect', () => send(parts.map(({ bytes }) => bytes)))
    socket.on('data', (chunk) => {
      for (const answer of answers.take(chunk)) look(answer)
      go()
    })
    socket.once('end', () => socket.end())
    socket.once('close', () => {
      if (answered < parts.length) givenUp(`closed before ${nameOf(answered)} was answered`)
      settle()
    })

    function send(pieces) {
      sent = performance.now()
      const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
      const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)
      const write = (index) => {
        if (socket.destroyed) return
        socket.write(bytes.subarray(places[index - 1] ?? 0, places[index] ?? bytes.length))
        if (index < places.length) return void setTimeout(write, gap, index + 1)
        if (stage === 'tail') stage = 'sent'
        go()
      }
      write(0)
    }

    function look({ status, handled, close }) {
      statuses[status] = (statuses[status] ?? 0) + 1
      longest = Math.max(longest, performance.now() - sent)
      wait(() => `not answered in ${PATIENCE} ms: ${nameOf(answered)}`)
      const part = parts[answered]
      const name = nameOf(answered)
      if (part) answered++
      else late++
      if (status >= 500) fault(`${status} for ${name}`)
      else if (status < 300 && !tokens.has(handled) && !byFramework(status, handled)) {
        fault(`${status} for ${name}, and ${handled} was handled`)
      }
      if (!part) return
      if (status === 408) givenUp(`${status} for ${name}`)
      else if (!part.statuses.includes(status)) fault(`${status} for ${name}`)
      else if (handled !== undefined && handled !== part.token) fault(`${name} handled ${handled}`)
      else if (close && answered < parts.length) givenUp(`${name} closed the connection`)
    }

    /** Express answers OPTIONS by itself, with the methods of the route. */
    function byFramework(status, handled) {
      return status === 200 && handled === undefined && tail?.bytes.includes('OPTIONS ')
    }

    function go() {
      if (faults.length > 0 || gaveUp) return settle()
      if (answered < parts.length) return
      if (!tail) return settle()
      if (stage === 'parts') {
        stage = 'tail'
        wait(() => `not taken in ${PATIENCE} ms: ${nameOf(answered)}`)
        return send([tail.bytes])
      }
      if (stage !== 'sent') return
      if (late > 0 && !answers.cut) return finish()
      if (tail.after === 'close' || tail.after === 'reset') return settle(tail.after)
      if (due) return wait(() => `no answer in ${PATIENCE} ms to ${nameOf(answered)}`)
      clearInterval(timer)
      clearTimeout(quiet)
      quiet = setTimeout(finish, tail.after === 'end' ? 0 : QUIET)
    }

    /** There is no more to come from here: the server has to close. */
    function finish() {
      clearTimeout(quiet)
      stage = 'finished'
      socket.end()
      wait(() => `not closed in ${PATIENCE} ms after ${nameOf(answered)}`)
    }

    function wait(what) {
      clearInterval(timer)
      const since = performance.now()
      const from = server.time()
      timer = setInterval(() => {
        if (server.time() - from < PATIENCE && performance.now() - since < END) return
        fault(what())
        settle()
      }, CHECK)
    }

    /** Where either process was too slow, the server was right to give a request up, and nothing is proved. */
    function givenUp(text) {
      if (performance.now() - sent > SLOW) gaveUp = true
      else fault(text)
    }

    function fault(text) {
      faults.push(text)
    }

    function settle(how) {
      clearInterval(timer)
      clearTimeout(quiet)
      resolve({ faults, statuses, longest, gaveUp })
      if (how === 'close') socket.destroy()
      else if (!socket.destroyed) socket.resetAndDestroy()
    }

    function nameOf(index) {
      const whole = parts.length + (tail ? 1 : 0)
      return `${parts[index]?.kind ?? tail?.kind} (${Math.min(index + 1, whole)} of ${whole})`
    }
  })
}
