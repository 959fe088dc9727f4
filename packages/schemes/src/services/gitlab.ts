import { actions } from '../engine/actions.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * GitLab with a signing token, as Standard Webhooks describes. Its older secret token comes as text in a header and signs nothing.
 *
 * POST of a JSON object with one event, which `x-gitlab-event` names too, unsigned. System hooks name it in `event_name`.
 */
export const gitlab: DefinedScheme<ServiceKind<'gitlab', 'signed', 'event and action'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'gitlab',
      title: 'GitLab',
      documentation: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
      checked: '2026-11-26',
      secret: {
        called: 'the signing token of the webhook',
        begins: 'whsec_',
        several: 'each webhook of a project, a group or the instance has its own',
        mistaken: { 'glpat-': 'a personal access token', 'gldt-': 'a deploy token' },
      },
      requests: {
        recognised: { 'x-gitlab-event': '', 'user-agent': 'GitLab/' },
        signing: 'its secret token signs nothing: add a signing token',
        others: [
          {
            header: 'x-gitlab-event',
            begins: 'System Hook',
            is: 'from a system hook of the instance, which has its own signing token',
          },
        ],
      },
      event: [{ pointer: '/object_kind' }, { pointer: '/event_name' }],
      action: [{ pointer: '/object_attributes/action' }, { pointer: '/action' }],
      patience: 10,
      largest: 26_214_400,
    }),
    { actions },
  )
