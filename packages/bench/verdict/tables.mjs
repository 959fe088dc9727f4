import { bytes, spread, time } from '@webhook-receiver/tools/figures.mjs'
import { quartiles, tooNoisy } from '../ratios.mjs'
import { againstOurs, againstTextbook, controlOf, librariesIn } from './figures.mjs'

const OURS = ['ours: MAC', 'ours: verdict', 'ours: receive()', 'ours: receiveRequest()']
const BACKENDS = { node: 'node:crypto', web: 'WebCrypto' }

/** The tables of each Node: ours by the textbook’s time, then the libraries by ours. */
export function tablesOf(results) {
  return results.flatMap(({ name, backend, series, unloadable }) => {
    const message = series.filter(({ shape }) => shape === 'message')
    const dense = series.filter(({ shape }) => shape === 'dense')
    const where = `${name}, ${BACKENDS[backend]}`
    return [
      textbookTable(where, message),
      ...(dense.length > 0 ? [denseTable(where, dense)] : []),
      ...(backend === 'node' ? [libraryTable(where, message, unloadable)] : []),
    ]
  })
}

function textbookTable(where, series) {
  return {
    title: `The verdict: CPU time against the textbook’s (${where})`,
    head: ['', ...series.map(({ size }) => bytes(size))],
    rows: [
      row('the textbook takes', series, ({ samples }) => time(quartiles(samples.textbook).median)),
      row('with JSON.parse', series, ({ samples }) =>
        time(quartiles(samples['textbook + JSON.parse']).median),
      ),
      row('textbook again (control)', series, ({ samples }) =>
        control(controlOf(samples, 'ours: verdict')),
      ),
      row('textbook + JSON.parse again (control)', series, ({ samples }) =>
        control(controlOf(samples, 'ours: receive()')),
      ),
      ...OURS.map((name) =>
        row(name, series, ({ samples }) => samples[name] && spread(againstTextbook(samples, name))),
      ),
    ],
    note:
      'Medians of the ratios, ± half the distance of the quartiles. The MAC and the verdict against the textbook, receive() and ' +
      'receiveRequest() against the textbook and JSON.parse. A body of 64 B has no room for a delivery.',
  }
}

function denseTable(where, series) {
  return {
    title: `Very dense JSON: receive() against the textbook and JSON.parse (${where})`,
    head: ['', ...series.map(({ size }) => bytes(size))],
    rows: [
      row('control', series, ({ samples }) => control(controlOf(samples, 'ours: receive()'))),
      row('ours: receive()', series, ({ samples }) =>
        spread(againstTextbook(samples, 'ours: receive()')),
      ),
    ],
    note: 'Hardly anything but brackets and small numbers. It has no goal: the guard against deep bodies walks through all of it.',
  }
}

function libraryTable(where, series, unloadable) {
  const missing = unloadable.map(
    ({ name, why }) => `${name} does not load here: ${why.split('\n')[0]}.`,
  )
  return {
    title: `Libraries: how many times the CPU time of ours for the same work (${where})`,
    head: ['', ...series.map(({ size }) => bytes(size))],
    rows: librariesIn(series).map((name) =>
      row(name, series, ({ samples }) => {
        const found = againstOurs(samples, name)
        return found && spread(found)
      }),
    ),
    note: [
      'What parses against receive(), what reads a Request (tern) against receiveRequest(), the rest against the verdict.',
      ...missing,
    ].join(' '),
  }
}

function row(name, series, cell) {
  return [name, ...series.map((one) => cell(one) ?? '–')]
}

function control(found) {
  return tooNoisy(found) ? `${spread(found)} too noisy` : spread(found)
}
