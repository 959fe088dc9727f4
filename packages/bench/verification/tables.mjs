import { bytes, spread, time } from '../figures.mjs'
import { mainOf } from '../runtimes.mjs'
import { quartiles, tooNoisy } from '../statistics.mjs'
import { controlOf, librariesIn, relativeToPlain, relativeToReceiver } from './compare.mjs'

const PARTS = ['MAC', 'all checks', 'receive()', 'receiveRequest()']

const [SMALL, LARGE] = [1024, 65_536]

/** Every size on one Node, then the usual size on each Node. */
export function tablesOf(results) {
  const { name, series, unloadable } = mainOf(results.filter(isNode))
  const message = series.filter(({ shape }) => shape === 'message')
  const dense = series.filter(({ shape }) => shape === 'dense')
  return [
    plainTable(name, message, dense),
    libraryTable(name, message, unloadable),
    nodesTable(results, librariesIn(message)),
  ]
}

function plainTable(where, series, dense) {
  const median =
    (subject) =>
    ({ samples }) =>
      time(quartiles(samples[subject]).median)
  const denseAt = ({ size }) => dense.find((one) => one.size === size)?.samples
  const denseCell = (one) => denseAt(one) && spread(relativeToPlain(denseAt(one), 'receive()'))
  return {
    title: `CPU time relative to plain node:crypto (${where})`,
    head: ['', ...series.map(({ size }) => bytes(size))],
    rows: [
      row('plain node:crypto takes', series, median('plain')),
      row('with JSON.parse', series, median('plain + JSON.parse')),
      row('control', series, ({ samples }) => control(controlOf(samples, 'all checks'))),
      row('control with JSON.parse', series, ({ samples }) =>
        control(controlOf(samples, 'receive()')),
      ),
      ...PARTS.map((name) =>
        row(name, series, ({ samples }) => text(relativeToPlain(samples, name))),
      ),
      ...(dense.length > 0 ? [row('receive(), dense JSON', series, denseCell)] : []),
    ],
    note:
      'Medians of ratios, ± half the distance of the quartiles. MAC and all checks relative to plain node:crypto; receive() and ' +
      'receiveRequest() relative to plain node:crypto and JSON.parse. A delivery does not fit into 64 B. Dense JSON is mostly brackets.',
  }
}

function libraryTable(where, series, unloadable) {
  const missing = unloadable.map(
    ({ name, why }) => `${name} does not load here: ${why.split('\n')[0]}.`,
  )
  return {
    title: `CPU time of alternatives relative to webhook-receiver (${where})`,
    head: ['', ...series.map(({ size }) => bytes(size))],
    rows: librariesIn(series).map((name) =>
      row(name, series, ({ samples }) => text(relativeToReceiver(samples, name))),
    ),
    note: [
      'Libraries that parse are compared with receive(), those that read a Request (tern) with receiveRequest(), the others with all checks.',
      ...missing,
    ].join(' '),
  }
}

function nodesTable(results, libraries) {
  const names = [...new Set(results.map(({ name }) => name))]
  const cells = (backend, relative, size) =>
    names.map((name) => {
      const found = results.find((one) => one.name === name && one.backend === backend)
      const samples = found && messageAt(found.series, size)
      return text(samples && relative(samples)) ?? '–'
    })
  const own = (backend, part, size = SMALL) =>
    cells(backend, (samples) => relativeToPlain(samples, part), size)
  return {
    title: `${bytes(SMALL)} on each Node`,
    head: ['', ...names],
    rows: [
      ...PARTS.map((part) => [part, ...own('node', part)]),
      ...['MAC', 'receive()', 'receiveRequest()'].map((part) => [
        `${part} with WebCrypto`,
        ...own('web', part),
      ]),
      [`receive() with WebCrypto, ${bytes(LARGE)}`, ...own('web', 'receive()', LARGE)],
      ...libraries.map((name) => [
        name,
        ...cells('node', (samples) => relativeToReceiver(samples, name), SMALL),
      ]),
    ],
    note: 'The receiver relative to plain node:crypto, libraries relative to the receiver. Node uses node:crypto; WebCrypto is for other runtimes.',
  }
}

function isNode({ backend }) {
  return backend === 'node'
}

function messageAt(series, size) {
  return series.find((one) => one.shape === 'message' && one.size === size)?.samples
}

function row(name, series, cell) {
  return [name, ...series.map((one) => cell(one) ?? '–')]
}

function text(found) {
  return found && spread(found)
}

function control(found) {
  return tooNoisy(found) ? `${spread(found)} too noisy` : spread(found)
}
