/** Counts the MACs that WebCrypto computes from now on: whoever computes them otherwise has another backend. */
export function countSubtle() {
  const { subtle } = crypto
  const sign = subtle.sign.bind(subtle)
  const counted = { signed: 0 }
  subtle.sign = (...args) => {
    counted.signed++
    return sign(...args)
  }
  return counted
}
