import { connect } from 'node:net'
import { readResponse } from '@webhook-receiver/conformance/internal'
import { HANDLED } from '../../applications.mjs'
import { isComplete } from './complete.mjs'

/** How long to wait for a response or the end of a connection, in milliseconds in which the server was not busy. */
const TIMEOUT = 30_000

/** How long to wait in any case. */
const MOST_TIMEOUT = 120_000

/**
 * A server may give up a request that arrives more slowly, in milliseconds: a receiver after 1000, and the server of
 * Hono after 500 if nothing reads the body.
 */
const SLOW = 400

/** How often that is looked at, in milliseconds. */
const CHECK = 500

/** After so many milliseconds without a response the server is assumed to wait for more bytes. */
const QUIET = 25

/**
 * Sends the plan of one connection and checks the responses: first the requests with known responses and then, after those
 * responses, the bytes without one. Resolves to the faults, the number of each status, the longest time for a
 * response, in milliseconds, and whether the server gave a request up because it arrived too slowly.
 *
 * @param {{ port: number, time(): number }} server
 * @param {object} plan
 * @param {import('./requests.mjs').Part[]} plan.parts
 * @param {import('./malformed.mjs').Tail} [plan.tail]
 * @param {number[]} plan.cuts where the bytes are divided into writes
 * @param {number} plan.gap milliseconds between two writes
 */
export function session(server, { parts, tail, cuts, gap }) {
  const tokens = new Set([...parts.map(({ token }) => token), ...(tail?.tokens ?? [])])
  const due = tail && isComplete(tail.bytes)
  const statuses = {}
  const faults = []
  let responded = 0
  let late = 0
  let stage = 'parts'
  let gaveUp = false
  let longest = 0
  let sent = performance.now()
  let received = EMPTY
  let timer
  let quiet

  return new Promise((resolve) => {
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    })
    wait(() => `no response in ${TIMEOUT} ms: ${nameOf(responded)}`)
    socket.on('error', () => {})
    socket.once('connect', () => send(parts.map(({ bytes }) => bytes)))
    socket.on('data', (chunk) => readResponses(chunk))
    socket.once('end', () => {
      readResponses(EMPTY, true)
      socket.end()
    })
    socket.once('close', () => {
      readResponses(EMPTY, true)
      if (responded < parts.length) givenUp(`closed before ${nameOf(responded)} got a response`)
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

    function readResponses(chunk, ended = false) {
      received = Buffer.concat([received, chunk])
      for (;;) {
        const reading = readResponse(received, ended)
        if (reading.kind === 'malformed') fault(`a malformed response to ${nameOf(responded)}`)
        if (reading.kind !== 'response') return go()
        received = reading.rest
        if (reading.response.status >= 200) check(reading.response)
      }
    }

    function check({ status, headers }) {
      const handled = headers.get(HANDLED)
      const closes = headers.get('connection')?.toLowerCase() === 'close'
      statuses[status] = (statuses[status] ?? 0) + 1
      longest = Math.max(longest, performance.now() - sent)
      wait(() => `no response in ${TIMEOUT} ms: ${nameOf(responded)}`)
      const part = parts[responded]
      const name = nameOf(responded)
      if (part) responded++
      else late++
      if (status >= 500) fault(`${status} for ${name}`)
      else if (status < 300 && !tokens.has(handled) && !byFramework(status, handled)) {
        fault(`${status} for ${name}, and ${handled} was handled`)
      }
      if (!part) return
      if (status === 408) givenUp(`${status} for ${name}`)
      else if (!part.statuses.includes(status)) fault(`${status} for ${name}`)
      else if (handled !== undefined && handled !== part.token) fault(`${name} handled ${handled}`)
      else if (closes && responded < parts.length) givenUp(`${name} closed the connection`)
    }

    /** Express itself responds to OPTIONS, with the methods of the route. */
    function byFramework(status, handled) {
      return status === 200 && handled === undefined && tail?.bytes.includes('OPTIONS ')
    }

    function go() {
      if (faults.length > 0 || gaveUp) return settle()
      if (responded < parts.length) return
      if (!tail) return settle()
      if (stage === 'parts') {
        stage = 'tail'
        wait(() => `not taken in ${TIMEOUT} ms: ${nameOf(responded)}`)
        return send([tail.bytes])
      }
      if (stage !== 'sent') return
      if (late > 0 && received.length === 0) return finish()
      if (tail.after === 'close' || tail.after === 'reset') return settle(tail.after)
      if (due) return wait(() => `no response in ${TIMEOUT} ms to ${nameOf(responded)}`)
      clearInterval(timer)
      clearTimeout(quiet)
      quiet = setTimeout(finish, tail.after === 'end' ? 0 : QUIET)
    }

    /** Closes the sending side: the server has to close the connection. */
    function finish() {
      clearTimeout(quiet)
      stage = 'finished'
      socket.end()
      wait(() => `not closed in ${TIMEOUT} ms after ${nameOf(responded)}`)
    }

    function wait(what) {
      clearInterval(timer)
      const since = performance.now()
      const from = server.time()
      timer = setInterval(() => {
        if (server.time() - from < TIMEOUT && performance.now() - since < MOST_TIMEOUT) return
        fault(what())
        settle()
      }, CHECK)
    }

    /** If either process was too slow, the server may give a request up, and that proves nothing. */
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

const EMPTY = Buffer.alloc(0)
