import { fetchOf } from './surfaces.mjs'

let handler

export default {
  fetch(request, env, context) {
    handler ??= fetchOf(JSON.parse(env.SETTINGS))
    return handler(request, env, context)
  },
}
