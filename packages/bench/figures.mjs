/** The texts of figures. */

/** A ratio with half the distance of its quartiles: `0.52 ±0.02`. */
export function spread({ median, low, high }) {
  const digits = median >= 10 ? 0 : 2
  return `${median.toFixed(digits)} ±${((high - low) / 2).toFixed(digits)}`
}

/** A size such as `600 B`, `4 KiB` or `1 MiB`. */
export function bytes(count) {
  if (count < 1024) return `${Math.round(count)} B`
  if (count < 1024 ** 2) return `${trimmed(count / 1024)} KiB`
  return `${trimmed(count / 1024 ** 2)} MiB`
}

/** A time in the unit that suits it: `820 ns`, `1.4 µs`, `12 ms`. */
export function time(nanoseconds) {
  if (nanoseconds < 1e3) return `${Math.round(nanoseconds)} ns`
  if (nanoseconds < 1e6) return `${trimmed(nanoseconds / 1e3)} µs`
  return `${trimmed(nanoseconds / 1e6)} ms`
}

/** A whole number with its thousands apart: `100,000`. */
export function count(number) {
  return number.toLocaleString('en')
}

function trimmed(number) {
  return number >= 100 ? number.toFixed(0) : String(Number(number.toPrecision(2)))
}
