import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Debugger } from './debugger.tsx'
import { readFragment } from './fragment.ts'

// A policy does not stop it in every browser, and what it looks up could say something.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) {
  Reflect.deleteProperty(globalThis, name)
}

/** The page around the frame fills it by the fragment, and gets nothing back but its height. */
function Frame() {
  const [begun, setBegun] = useState(() => readFragment(location.hash))
  useEffect(() => {
    let last = withoutTheme(location.hash)
    const follow = () => {
      const next = readFragment(location.hash)
      document.documentElement.classList.toggle('dark', next.isDark)
      // Another theme is no other request.
      if (withoutTheme(location.hash) !== last) setBegun(next)
      last = withoutTheme(location.hash)
    }
    follow()
    window.addEventListener('hashchange', follow)
    const observer = new ResizeObserver(() => {
      window.parent.postMessage({ height: document.body.scrollHeight }, '*')
    })
    observer.observe(document.body)
    return () => {
      window.removeEventListener('hashchange', follow)
      observer.disconnect()
    }
  }, [])
  return <Debugger begun={begun} />
}

function withoutTheme(hash: string): string {
  return hash.replace(/[?&]theme=\w+/, '')
}

const root = document.getElementById('app')
if (root) {
  root.textContent = ''
  render(<Frame />, root)
}
