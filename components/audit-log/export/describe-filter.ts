import { hasWindow } from '#components/shell/search/time-window/time-window.ts';
import { formatShort } from '#lib/time.ts';

import { actorKinds, auditSpans, type AuditView, labelOfAction } from '../audit-view.ts';
import { isKeyOf } from '#lib/object-keys.ts';

/** A line of text for each filter that is set; empty if none is. */
export function describeFilter(view: AuditView, actorName: string | undefined): string[] {
  const { actor, action, target, since, from, to } = view;
  const kind = isKeyOf(actorKinds, actor) ? actorKinds[actor] : undefined;
  return [
    actor !== '' && `Actor: ${kind ?? actorName ?? actor}`,
    action !== '' && `Action: ${labelOfAction(action)}`,
    target !== '' && `Target ID: ${target}`,
    !hasWindow(view) && since !== 'any' && `Time: ${auditSpans[since].label}`,
    from !== null && `Since: ${formatShort(from)}`,
    to !== null && `Before: ${formatShort(to)}`,
  ].filter((part) => part !== false);
}
