/**
 * The slope of a line through points, both axes logarithmic, by least squares: the power of x that y grows
 * with.
 *
 * @param {readonly (readonly [number, number])[]} points
 */
export function slopeOf(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const mean = (axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const above = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return above / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}
