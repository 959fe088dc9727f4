import { useData, withBase } from 'vitepress'
import { h, onMounted, onUnmounted, ref, watch } from 'vue'
import { data } from './reasons.data.mjs'

/** Also for those who have turned scripts off. */
const WAIT = 'Loading the form, which needs JavaScript …'

/**
 * The debugger: a frame in a sandbox, whose own policy lets it ask for nothing. This page fills it by its fragment, and never reads it: a
 * secret in the frame cannot get out of it. With `example`, it begins with a request.
 */
export default {
  props: { example: Boolean },
  setup({ example }) {
    const { isDark } = useData()
    const frame = ref()
    const height = ref(example ? 900 : 720)
    const isShown = ref(false)
    const reason = ref('')
    const meaning = ref('')

    function fill() {
      const asked = example ? 'stripe?example' : location.hash.slice(1)
      const [, service, named] = /^(?:([\w-]+)\/)?(\w+)(?:$|\?)/.exec(asked) ?? []
      reason.value = Object.hasOwn(data.reasons, named) ? named : ''
      meaning.value =
        named === 'signature_missing' && Object.hasOwn(data.missing, service)
          ? data.missing[service]
          : data.reasons[named]
      const theme = `${asked.includes('?') ? '&' : '?'}theme=${isDark.value ? 'dark' : 'light'}`
      const address = new URL(`${withBase('/debugger-frame.html')}#${asked}${theme}`, location)
      // No entry of its own in the history.
      frame.value.contentWindow.location.replace(address)
    }

    function resize({ source, data }) {
      if (source !== frame.value?.contentWindow || !Number.isFinite(data?.height)) return
      height.value = Math.min(6000, Math.max(300, data.height))
      isShown.value = true
    }

    onMounted(() => {
      window.addEventListener('message', resize)
      window.addEventListener('hashchange', fill)
      fill()
    })
    onUnmounted(() => {
      window.removeEventListener('message', resize)
      window.removeEventListener('hashchange', fill)
    })
    watch(isDark, fill)

    const steps = () =>
      reason.value === 'signature_mismatch'
        ? '/diagnosis.html#from-the-log-line-to-the-cause'
        : `/errors.html#${reason.value}`
    const explained = () =>
      h('div', { class: 'log-says' }, [
        h('p', ['Your log says ', h('code', reason.value), '. ', meaning.value, ' ']),
        h('a', { href: withBase(steps()) }, 'What to do'),
      ])
    return () => [
      reason.value && explained(),
      h('div', { class: 'debugger-place' }, [
        !isShown.value && h('p', { class: 'debugger-wait' }, WAIT),
        h('iframe', {
          ref: frame,
          class: 'debugger-frame',
          title: 'Webhook signature debugger',
          sandbox: 'allow-scripts',
          allow: 'clipboard-write',
          loading: 'lazy',
          style: { height: `${height.value}px` },
        }),
      ]),
    ]
  },
}
